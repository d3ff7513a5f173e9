import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '../stream/message';
import { appendTurns, changeAnswer, changeParameters, EMPTY_DESK, linkPane, toPane, toPendingAnswer, type AnswerTurn, type Desk, type Turn } from './desk';
import { parseDesk, parseTurn, toChanges, toStoredDesk, type DeskChanges, type RestoredDesk } from './deskRecords';
import { addPane, closePane, toDesk } from './panes';

const user = (id: string): Turn => ({ id, role: 'user', content: `message ${id}` });
const answer = (id: string, more: Partial<AnswerTurn> = {}): AnswerTurn => ({ ...toPendingAnswer(id, 'm', 5), phase: 'done', ...more });
const FULL_ANSWER = answer('a', {
  message: {
    id: 'chat-1', model: 'm-1', fingerprint: 'fp', created: 9, text: 'Text', reasoning: 'why', toolCalls: [{ id: 'c', name: 'f', arguments: '{"x":' }],
    usage: { prompt_tokens: 38, completion_tokens: null, total_tokens: 0 }, tokensPerSecond: 61.5, finish_reason: 'stop', state: 'complete', problem: null,
  },
  timing: { firstMs: 1, textMs: 2, endMs: 3 },
  failure: { message: 'No.', hint: 'Try.', status: 500, code: 'c', param: 'messages[0]', requestId: 'r' },
  phase: 'failed',
});
const DESK: Desk = {
  panes: [{ ...toPane('p', 'a'), turns: [user('u'), FULL_ANSWER] }, { ...toPane('q', ''), parameters: { seed: 7, stop: ['x'] } }],
  parked: [{ ...toPane('r', 'b'), turns: [user('v')] }],
  draft: 'half a mess', systemPrompt: 'Be brief.', parameters: { temperature: 0 },
};
const allTurns = (desk: Desk): readonly Turn[] => [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
/** As the database gives it back: a copy. */
const stored = (desk: Desk): RestoredDesk => parseDesk(structuredClone(toStoredDesk(desk)), structuredClone(allTurns(desk)));

describe('reading back', () => {
  it('gives what was stored', () => expect(stored(DESK)).toEqual({ desk: DESK, isDamaged: false }));

  it('gives an empty desk where nothing is stored, and calls nothing damaged', () => {
    expect(parseDesk(undefined, [])).toEqual({ desk: EMPTY_DESK, isDamaged: false });
  });

  it.each(['queued', 'sending', 'streaming'] as const)('marks a %s answer interrupted and keeps its text', (phase) => {
    const message = { ...EMPTY_MESSAGE, text: 'so far' };
    const { desk, isDamaged } = stored({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [answer('a', { phase, message, waitUntil: 9 })] }] });
    expect(desk.panes[0]?.turns[0]).toMatchObject({ phase: 'interrupted', waitUntil: null, message: { text: 'so far' } });
    expect(isDamaged).toBe(false);
  });

  it('needs no order of the turns', () => {
    expect(parseDesk(toStoredDesk(DESK), allTurns(DESK).toReversed())).toEqual({ desk: DESK, isDamaged: false });
  });

  it('passes over turns that no pane has', () => {
    expect(parseDesk(toStoredDesk(DESK), [...allTurns(DESK), user('left over')])).toEqual({ desk: DESK, isDamaged: false });
  });
});

it('stores what is known and no more', () => {
  const more = { ...DESK, token: 'secret' };
  expect(Object.keys(toStoredDesk(more))).toEqual(['version', 'panes', 'parked', 'draft', 'systemPrompt', 'parameters']);
  expect(JSON.stringify(toStoredDesk(DESK))).not.toContain('message u');
});

describe('damaged state', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', '{}'],
    ['a list', []],
    ['an empty object', {}],
    ['another version', { ...toStoredDesk(DESK), version: 2 }],
    ['no version', { ...toStoredDesk(DESK), version: undefined }],
    ['panes that are no list', { ...toStoredDesk(DESK), panes: { 0: {} } }],
  ])('%s is an empty desk, and said', (_what, value) => expect(parseDesk(value, allTurns(DESK))).toEqual({ desk: EMPTY_DESK, isDamaged: true }));

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'pane'],
    ['no id', { model: 'a', turnIds: [] }],
    ['an id that is no text', { id: 5, model: 'a', turnIds: [] }],
    ['no model', { id: 'x', turnIds: [] }],
  ])('a pane that is %s is left out, the others stay, and it is said', (_what, pane) => {
    const { desk, isDamaged } = parseDesk({ ...toStoredDesk(DESK), panes: [pane, ...toStoredDesk(DESK).panes] }, allTurns(DESK));
    expect(desk).toEqual(DESK);
    expect(isDamaged).toBe(true);
  });

  it.each<[string, readonly unknown[]]>([
    ['missing', []],
    ['null', [null]],
    ['without an id', [{ ...user('u'), id: undefined }]],
    ['of no known role', [{ ...user('u'), role: 'system' }]],
    ['a message without content', [{ ...user('u'), content: null }]],
  ])('a turn that is %s is left out, the others stay, and it is said', (_what, instead) => {
    const { desk, isDamaged } = parseDesk(toStoredDesk(DESK), [...instead, FULL_ANSWER, user('v')]);
    expect(desk).toEqual({ ...DESK, panes: [{ ...DESK.panes[0], turns: [FULL_ANSWER] }, DESK.panes[1]] });
    expect(isDamaged).toBe(true);
  });

  it('an answer with nothing in it is interrupted: nothing is known', () => {
    expect(parseTurn({ id: 'a', role: 'assistant' })).toEqual({ ...toPendingAnswer('a', '', 0), phase: 'interrupted' });
  });

  it.each<[object, object]>([
    [{ phase: 'thinking' }, { phase: 'interrupted' }],
    [{ phase: '__proto__' }, { phase: 'interrupted' }],
    [{ message: { text: 5, reasoning: null, state: 'x' } }, { message: { text: '', reasoning: '', state: 'interrupted' } }],
    [{ message: { toolCalls: [null, 'x', { id: 1, name: 'f' }] } }, { message: { toolCalls: [{ id: '', name: 'f', arguments: '' }] } }],
    // Unknown stays unknown: never 0.
    [{ message: { usage: { prompt_tokens: '38' } } }, { message: { usage: { prompt_tokens: null, completion_tokens: null, total_tokens: null } } }],
    [{ message: { usage: 5, tokensPerSecond: '61' } }, { message: { usage: null, tokensPerSecond: null } }],
    [{ timing: [1], sentAt: 'now' }, { timing: { firstMs: null, textMs: null, endMs: null }, sentAt: 0 }],
    [{ timing: { firstMs: Number.NaN, endMs: 5 } }, { timing: { firstMs: null, endMs: 5 } }],
    [{ failure: {} }, { failure: { message: 'unknown', hint: '', status: null, code: null, param: null, requestId: null } }],
    [{ failure: 'no' }, { failure: null }],
  ])('reads what can be read of an answer with %j', (damage, expected) => expect(parseTurn({ id: 'a', role: 'assistant', ...damage })).toMatchObject(expected));

  it('parameters outside their limits count as not set', () => {
    const { desk } = parseDesk({ ...toStoredDesk(DESK), parameters: { temperature: 3, top_p: 0.5, seed: 1.5, stop: 'x' } }, allTurns(DESK));
    expect(desk.parameters).toEqual({ top_p: 0.5 });
  });

  it('never throws, whatever is stored', () => {
    const pane = fc.oneof(fc.anything(), fc.record({ id: fc.anything(), model: fc.anything(), turnIds: fc.anything(), parameters: fc.anything() }, { requiredKeys: [] }));
    const desk = fc.oneof(fc.anything(), fc.record({ version: fc.constant(1), panes: fc.array(pane), parked: fc.oneof(fc.array(pane), fc.anything()), draft: fc.anything(), parameters: fc.anything() }));
    const turn = fc.oneof(fc.anything(), fc.record({ id: fc.string(), role: fc.constantFrom('user', 'assistant'), message: fc.anything(), timing: fc.anything(), failure: fc.anything() }));
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
    const long: Desk = { ...DESK, panes: [{ ...toPane('p', 'a'), turns: [...Array.from({ length: 100 }, (_, index) => user(`${index}`)), answer('a')] }] };
    const changes = toChanges(long, changeAnswer(long, 'p', 'a', { phase: 'streaming' }));
    expect(changes).toEqual({ desk: null, turns: [{ ...answer('a'), phase: 'streaming' }], removed: [] });
  });

  it.each<[string, (desk: Desk) => Desk]>([
    ['the draft', (desk) => ({ ...desk, draft: 'x' })],
    ['the system prompt', (desk) => ({ ...desk, systemPrompt: 'x' })],
    ['shared parameters', (desk) => changeParameters(desk, 'p', { seed: 1 })],
    ["a pane's own parameters", (desk) => changeParameters(desk, 'q', { seed: 1 })],
    ['a link', (desk) => linkPane(desk, 'q', true)],
    ['the order of panes', (desk) => ({ ...desk, panes: desk.panes.toReversed() })],
    ['a new pane', (desk) => addPane(desk, 'x', 'x')],
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
    expect(toChanges(DESK, EMPTY_DESK)).toMatchObject({ turns: [], removed: ['u', 'a', 'v'] });
  });

  it('leads from any state to any other, turn by turn', () => {
    /** What a database does with changes. */
    const write = (records: { desk: unknown; turns: Map<string, Turn> }, changes: DeskChanges | null): void => {
      if (changes?.desk) records.desk = changes.desk;
      for (const turn of changes?.turns ?? []) records.turns.set(turn.id, turn);
      for (const id of changes?.removed ?? []) records.turns.delete(id);
    };
    const action = fc.oneof(
      fc.record({ kind: fc.constant('models' as const), models: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }) }),
      fc.record({ kind: fc.constantFrom('ask' as const, 'grow' as const, 'clear' as const, 'close' as const, 'draft' as const), at: fc.nat(3) }),
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
          else if (pane && step.kind === 'grow') desk = changeAnswer(desk, pane.id, pane.turns.at(-1)?.id ?? '', { message: { ...EMPTY_MESSAGE, text: id() } });
          else if (pane && step.kind === 'clear') desk = { ...desk, panes: desk.panes.map((each) => ({ ...each, turns: [] })) };
          else if (pane) desk = closePane(desk, pane.id);
          if (!isSaved) continue;
          write(records, toChanges(saved, desk));
          saved = desk;
        }
        write(records, toChanges(saved, desk));
        expect(parseDesk(records.desk, [...records.turns.values()])).toEqual({ desk, isDamaged: false });
        expect(records.turns.size).toBe(allTurns(desk).length);
      }),
    );
  });
});
