import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { EMPTY_DESK, lastAnswer, toPane, type Desk } from '#features/playground/web/desk/desk.ts';
import { allTurns, answer, DESK, FULL_ANSWER, FULL_VERSION, TOOL, user } from './desks.fixture.ts';
import { parseDesk, toChanges, toStoredDesk, type RestoredDesk } from './deskRecords.ts';

/** As the database gives it back: a copy. */
const stored = (desk: Desk): RestoredDesk =>
  parseDesk(structuredClone(toStoredDesk(desk)), structuredClone(allTurns(desk)));

describe('reading back', () => {
  it('gives what was stored', () => expect(stored(DESK)).toEqual({ desk: DESK, damage: 'none' }));

  it('gives back whether each message is sent alone', () => {
    expect(stored({ ...DESK, isAlone: true }).desk.isAlone).toBe(true);
    expect(toChanges(DESK, { ...DESK, isAlone: true })?.desk?.isAlone).toBe(true);
  });

  it('gives an empty desk where nothing is stored, and calls nothing damaged', () => {
    expect(parseDesk(undefined, [])).toEqual({ desk: EMPTY_DESK, damage: 'none' });
  });

  it.each(['queued', 'sending', 'streaming'] as const)('marks a %s answer interrupted and keeps its text', (phase) => {
    const message = { ...EMPTY_MESSAGE, text: 'so far' };
    const { desk, damage } = stored({
      ...EMPTY_DESK,
      panes: [{ ...toPane('p', 'a'), turns: [answer('a', { phase, message, waitUntil: 9 })] }],
    });
    expect(lastAnswer(desk.panes[0]!)).toMatchObject({
      phase: 'interrupted',
      waitUntil: null,
      message: { text: 'so far' },
    });
    expect(damage).toBe('none');
  });

  it('needs no order of the turns', () => {
    expect(parseDesk(toStoredDesk(DESK), allTurns(DESK).toReversed())).toEqual({ desk: DESK, damage: 'none' });
  });

  it('passes over turns that no pane has', () => {
    expect(parseDesk(toStoredDesk(DESK), [...allTurns(DESK), user('left over')])).toEqual({
      desk: DESK,
      damage: 'none',
    });
  });
});

it('stores what is known and no more', () => {
  const more = { ...DESK, token: 'secret' };
  expect(Object.keys(toStoredDesk(more))).toEqual(['version', 'panes', 'parked', 'draft', 'shared']);
  expect(JSON.stringify(toStoredDesk(DESK))).not.toContain('message u');
});

describe('what the first format kept', () => {
  /** Word for word as it was stored. */
  const OLD_TURNS = [
    { id: 'u', role: 'user', content: 'Hi' },
    {
      id: 'a',
      role: 'assistant',
      model: 'm',
      phase: 'failed',
      timing: { firstMs: 1, textMs: 2, endMs: 3 },
      sentAt: 5,
      waitUntil: null,
      failure: { message: 'No.', hint: 'Try.', status: 500, code: 'c', param: 'messages[0]', requestId: 'r' },
      message: FULL_VERSION.message,
    },
    { id: 'v', role: 'user', content: 'parked' },
  ];
  const OLD_DESK = {
    version: 1,
    savedAt: 9,
    draft: 'half',
    systemPrompt: 'Be brief.',
    parameters: { temperature: 0.2, stop: ['a,b'] },
    panes: [
      { id: 'p', model: 'm', parameters: null, turnIds: ['u', 'a'] },
      { id: 'q', model: '', parameters: { seed: 7 }, turnIds: [] },
    ],
    parked: [{ id: 'r', model: 'b', parameters: null, turnIds: ['v'] }],
  };

  it(
    'is read: a system prompt is a setting, a pane that was not linked has all parameters for itself, an answer is ' +
      'its own first version',
    () => {
      const { desk, damage } = parseDesk(structuredClone(OLD_DESK), structuredClone(OLD_TURNS));
      expect(damage).toBe('none');
      expect(desk).toEqual({
        draft: 'half',
        shared: { systemPrompt: 'Be brief.', temperature: 0.2, stop: ['a,b'] },
        panes: [
          {
            id: 'p',
            model: 'm',
            own: {},
            turns: [
              user('u', 'Hi'),
              {
                id: 'a',
                role: 'assistant',
                shown: 0,
                versions: [{ ...FULL_VERSION, batch: null, seed: null, isEdited: false }],
              },
            ],
          },
          {
            id: 'q',
            model: '',
            own: {
              seed: 7,
              temperature: null,
              top_p: null,
              top_k: null,
              min_p: null,
              frequency_penalty: null,
              presence_penalty: null,
              repetition_penalty: null,
              max_completion_tokens: null,
              stop: null,
              logprobs: null,
            },
            turns: [],
          },
        ],
        parked: [{ id: 'r', model: 'b', own: {}, turns: [user('v', 'parked')] }],
      });
    },
  );

  it('is the same once it is stored in this one, and turns of both formats are read together', () => {
    const { desk } = parseDesk(OLD_DESK, OLD_TURNS);
    expect(stored(desk)).toEqual({ desk, damage: 'none' });
    expect(parseDesk(toStoredDesk(desk), OLD_TURNS)).toEqual({ desk, damage: 'none' });
  });

  it('is marked interrupted where it was on its way', () => {
    const { desk } = parseDesk(OLD_DESK, [OLD_TURNS[0], { ...OLD_TURNS[1], phase: 'streaming' }, OLD_TURNS[2]]);
    expect(lastAnswer(desk.panes[0]!)).toMatchObject({ phase: 'interrupted', message: { text: 'Text' } });
  });
});

describe('damaged state', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', '{}'],
    ['a list', []],
    ['an empty object', {}],
    ['a version that never was', { ...toStoredDesk(DESK), version: 0 }],
    ['a version that is a property of every object', { ...toStoredDesk(DESK), version: 'constructor' }],
    ['no version', { ...toStoredDesk(DESK), version: undefined }],
    ['panes that are no list', { ...toStoredDesk(DESK), panes: { 0: {} } }],
  ])('%s is an empty desk, and said', (_what, value) =>
    expect(parseDesk(value, allTurns(DESK))).toEqual({ desk: EMPTY_DESK, damage: 'all' }),
  );

  it('of a newer studio is said to be that', () => {
    expect(parseDesk({ ...toStoredDesk(DESK), version: 3 }, allTurns(DESK))).toEqual({
      desk: EMPTY_DESK,
      damage: 'newer',
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'pane'],
    ['no id', { model: 'a', turnIds: [] }],
    ['an id that is no text', { id: 5, model: 'a', turnIds: [] }],
    ['no model', { id: 'x', turnIds: [] }],
  ])('a pane that is %s is left out, the others stay, and it is said', (_what, pane) => {
    const { desk, damage } = parseDesk(
      { ...toStoredDesk(DESK), panes: [pane, ...toStoredDesk(DESK).panes] },
      allTurns(DESK),
    );
    expect(desk).toEqual(DESK);
    expect(damage).toBe('some');
  });

  it.each<[string, readonly unknown[]]>([
    ['missing', []],
    ['null', [null]],
    ['without an id', [{ ...user('u'), id: undefined }]],
    ['of no known role', [{ ...user('u'), role: 'system' }]],
    ['a message without content', [{ ...user('u'), content: null }]],
  ])('a turn that is %s is left out, the others stay, and it is said', (_what, instead) => {
    const { desk, damage } = parseDesk(toStoredDesk(DESK), [...instead, FULL_ANSWER, TOOL, user('v')]);
    expect(desk).toEqual({ ...DESK, panes: [{ ...DESK.panes[0], turns: [FULL_ANSWER, TOOL] }, DESK.panes[1]] });
    expect(damage).toBe('some');
  });

  it('settings outside their limits count as not set', () => {
    const { desk } = parseDesk(
      { ...toStoredDesk(DESK), shared: { temperature: 3, top_p: 0.5, seed: 1.5, stop: 'x' } },
      allTurns(DESK),
    );
    expect(desk.shared).toEqual({ top_p: 0.5 });
  });

  it('never throws, whatever is stored', () => {
    const pane = fc.oneof(
      fc.anything(),
      fc.record(
        {
          id: fc.anything(),
          model: fc.anything(),
          turnIds: fc.anything(),
          parameters: fc.anything(),
          own: fc.anything(),
        },
        { requiredKeys: [] },
      ),
    );
    const desk = fc.oneof(
      fc.anything(),
      fc.record({
        version: fc.constantFrom(1, 2),
        panes: fc.array(pane),
        parked: fc.oneof(fc.array(pane), fc.anything()),
        draft: fc.anything(),
        parameters: fc.anything(),
        systemPrompt: fc.anything(),
        shared: fc.anything(),
      }),
    );
    const turn = fc.oneof(
      fc.anything(),
      fc.record({
        id: fc.string(),
        role: fc.constantFrom('user', 'assistant', 'tool'),
        content: fc.anything(),
        versions: fc.oneof(
          fc.anything(),
          fc.array(fc.record({ id: fc.string(), message: fc.anything(), phase: fc.anything() })),
        ),
        shown: fc.anything(),
        message: fc.anything(),
        timing: fc.anything(),
        failure: fc.anything(),
      }),
    );
    fc.assert(
      fc.property(desk, fc.array(turn), (value, turns) => {
        const { desk: restored } = parseDesk(value, turns);
        expect(typeof restored.draft).toBe('string');
        // What was read once is read back the same.
        expect(stored(restored).desk).toEqual(restored);
      }),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
