import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#shared/stream/message.ts';
import {
  appendTurns,
  changeAnswer,
  changeSettings,
  changeShared,
  EMPTY_DESK,
  lastAnswer,
  linkPane,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Turn,
} from '#web/playground/desk/desk.ts';
import { isAct, parseDesk, toChanges, toStoredDesk, type DeskChanges, type RestoredDesk } from './deskRecords.ts';
import { addPane, closePane, toDesk } from '#web/playground/desk/panes.ts';

const user = (id: string, content = `message ${id}`): Turn => ({ id, role: 'user', content });
const version = (id: string, more: Partial<Answer> = {}): Answer => ({
  ...toPendingAnswer(id, 'm', 5),
  phase: 'done',
  ...more,
});
const answer = (id: string, more: Partial<Answer> = {}): AnswerTurn => toAnswerTurn(id, [version(id, more)]);
const FULL_VERSION = version('a', {
  message: {
    id: 'chat-1',
    model: 'm-1',
    fingerprint: 'fp',
    created: 9,
    text: 'Text',
    reasoning: 'why',
    toolCalls: [{ id: 'c', name: 'f', arguments: '{"x":' }],
    usage: { prompt_tokens: 38, completion_tokens: null, total_tokens: 0 },
    tokensPerSecond: 61.5,
    finish_reason: 'stop',
    state: 'complete',
    problem: null,
  },
  timing: { firstMs: 1, textMs: 2, endMs: 3 },
  failure: { message: 'No.', hint: 'Try.', status: 500, code: 'c', param: 'messages[0]', requestId: 'r' },
  phase: 'failed',
  batch: 'b1',
  seed: 7,
  isEdited: true,
});
const FULL_ANSWER: AnswerTurn = {
  id: 'turn',
  role: 'assistant',
  versions: [version('old'), FULL_VERSION, version('new')],
  shown: 1,
};
const TOOL: Turn = { id: 'tool', role: 'tool', tool_call_id: 'c', name: 'f', content: '4' };
const DESK: Desk = {
  panes: [
    { ...toPane('p', 'a'), turns: [user('u'), FULL_ANSWER, TOOL] },
    { ...toPane('q', ''), own: { seed: 7, stop: ['x'], tools: null, systemPrompt: 'Own.' } },
  ],
  parked: [{ ...toPane('r', 'b'), turns: [user('v')] }],
  draft: 'half a mess',
  shared: {
    systemPrompt: 'Be brief.',
    temperature: 0,
    tools: '[',
    tool_choice: 'tool:f',
    response_format: 'json_schema',
    schema: { name: 'n', text: '{', strict: false },
  },
};
const allTurns = (desk: Desk): readonly Turn[] => [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
/** As the database gives it back: a copy. */
const stored = (desk: Desk): RestoredDesk =>
  parseDesk(structuredClone(toStoredDesk(desk)), structuredClone(allTurns(desk)));

describe('reading back', () => {
  it('gives what was stored', () => expect(stored(DESK)).toEqual({ desk: DESK, damage: 'none' }));

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
              frequency_penalty: null,
              presence_penalty: null,
              max_completion_tokens: null,
              stop: null,
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

describe('what has to be written', () => {
  it('is nothing for the same desk, nor for one that only looks new', () => {
    expect(toChanges(DESK, DESK)).toBeNull();
    expect(toChanges(DESK, { ...DESK, panes: DESK.panes.map((pane) => ({ ...pane })) })).toBeNull();
  });

  it('is one turn while an answer grows, however long the conversation is', () => {
    const long: Desk = {
      ...DESK,
      panes: [
        { ...toPane('p', 'a'), turns: [...Array.from({ length: 100 }, (_, index) => user(`${index}`)), answer('a')] },
      ],
    };
    const changes = toChanges(long, changeAnswer(long, 'p', 'a', { phase: 'streaming' }));
    expect(changes).toEqual({ desk: null, turns: [answer('a', { phase: 'streaming' })], removed: [] });
  });

  it.each<[string, (desk: Desk) => Desk]>([
    ['the draft', (desk) => ({ ...desk, draft: 'x' })],
    ['the system prompt', (desk) => changeShared(desk, { systemPrompt: 'x' })],
    ['shared settings', (desk) => changeSettings(desk, 'p', { seed: 1 })],
    ["a pane's own settings", (desk) => changeSettings(desk, 'q', { seed: 1 })],
    ['a link', (desk) => linkPane(desk, 'q', ['seed'], true)],
    ['the order of panes', (desk) => ({ ...desk, panes: desk.panes.toReversed() })],
    ['a new pane', (desk) => addPane(desk, 'x', () => 'x')],
    ['a closed pane', (desk) => closePane(desk, 'p')],
  ])('is the desk without its turns after a change of %s', (_what, change) => {
    const after = change(DESK);
    expect(toChanges(DESK, after)).toEqual({ desk: toStoredDesk(after), turns: [], removed: [] });
  });

  it('is a new turn and the list it stands in', () => {
    const after = appendTurns(DESK, 'q', [user('new')]);
    expect(toChanges(DESK, after)).toEqual({ desk: toStoredDesk(after), turns: [user('new')], removed: [] });
  });

  it('is the removal of every turn that is gone', () => {
    expect(toChanges(DESK, EMPTY_DESK)).toMatchObject({ turns: [], removed: ['u', 'turn', 'tool', 'v'] });
  });

  it('leads from any state to any other, turn by turn', () => {
    /** What a database does with changes. */
    const write = (records: { desk: unknown; turns: Map<string, Turn> }, changes: DeskChanges | null): void => {
      if (changes?.desk) records.desk = changes.desk;
      for (const turn of changes?.turns ?? []) records.turns.set(turn.id, turn);
      for (const id of changes?.removed ?? []) records.turns.delete(id);
    };
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('models' as const),
        models: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
      }),
      fc.record({
        kind: fc.constantFrom('ask' as const, 'grow' as const, 'clear' as const, 'close' as const, 'draft' as const),
        at: fc.nat(3),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(action, fc.boolean()), { maxLength: 30 }), (steps) => {
        const records = { desk: undefined as unknown, turns: new Map<string, Turn>() };
        let [desk, saved, ids] = [EMPTY_DESK, EMPTY_DESK, 0];
        const id = (): string => `${(ids += 1)}`;
        for (const [step, isSaved] of steps) {
          const pane = 'at' in step ? desk.panes[step.at] : undefined;
          if (step.kind === 'models') desk = toDesk(desk, step.models, id);
          else if (step.kind === 'draft') desk = { ...desk, draft: id() };
          else if (pane && step.kind === 'ask') desk = appendTurns(desk, pane.id, [user(id()), answer(id())]);
          else if (pane && step.kind === 'grow')
            desk = changeAnswer(desk, pane.id, lastAnswer(pane)?.id ?? '', {
              message: { ...EMPTY_MESSAGE, text: id() },
            });
          else if (pane && step.kind === 'clear')
            desk = { ...desk, panes: desk.panes.map((each) => ({ ...each, turns: [] })) };
          else if (pane) desk = closePane(desk, pane.id);
          if (!isSaved) continue;
          write(records, toChanges(saved, desk));
          saved = desk;
        }
        write(records, toChanges(saved, desk));
        expect(parseDesk(records.desk, [...records.turns.values()])).toEqual({ desk, damage: 'none' });
        expect(records.turns.size).toBe(allTurns(desk).length);
      }),
    );
  });
});

describe('what a person did', () => {
  const [first, second] = DESK.panes;
  const withTurns = (turns: readonly Turn[]): Desk => ({
    ...DESK,
    panes: [{ ...toPane('p', 'a'), turns }, ...DESK.panes.slice(1)],
  });

  it.each<[string, Desk]>([
    ['moves a message', withTurns([FULL_ANSWER, user('u'), TOOL])],
    ['deletes one', withTurns([user('u'), FULL_ANSWER])],
    ['adds one', appendTurns(DESK, 'r', [user('w')])],
    ['rewrites one', withTurns([user('u', 'other'), FULL_ANSWER, TOOL])],
    ['gives another result', withTurns([user('u'), FULL_ANSWER, { ...TOOL, content: '5' }])],
    ['shows another version', withTurns([user('u'), { ...FULL_ANSWER, shown: 0 }, TOOL])],
    [
      'has one version more',
      withTurns([user('u'), { ...FULL_ANSWER, versions: [...FULL_ANSWER.versions, version('more')] }, TOOL]),
    ],
    [
      'edits an answer once more',
      withTurns([
        user('u'),
        {
          ...FULL_ANSWER,
          versions: FULL_ANSWER.versions.with(1, {
            ...FULL_VERSION,
            phase: 'done',
            message: { ...FULL_VERSION.message, text: 'Mine' },
          }),
        },
        TOOL,
      ]),
    ],
    ['closes a pane', closePane(DESK, 'q')],
    ['puts panes in another order', { ...DESK, panes: [second, first].filter((pane) => pane !== undefined) }],
  ])('%s', (_what, after) => expect(isAct(DESK, after)).toBe(true));

  it.each<[string, Desk]>([
    ['a draft', { ...DESK, draft: 'half a message' }],
    ['a prompt', changeShared(DESK, { systemPrompt: 'Be very brief.' })],
    ['a prompt of its own', changeSettings(DESK, 'q', { systemPrompt: 'Own!' })],
    ['an editor', { ...DESK, unsaved: [] }],
    [
      'an answer',
      changeAnswer(DESK, 'p', 'a', { message: { ...EMPTY_MESSAGE, text: 'Text and' }, phase: 'streaming' }),
    ],
    ['nothing', DESK],
  ])('is not that %s grows', (_what, after) => expect(isAct(DESK, after)).toBe(false));
});
