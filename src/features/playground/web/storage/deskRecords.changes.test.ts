import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  appendTurns,
  changeAnswer,
  changeSettings,
  changeShared,
  EMPTY_DESK,
  lastAnswer,
  linkPane,
  toPane,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { allTurns, answer, DESK, FULL_ANSWER, TOOL, user, version, FULL_VERSION } from './desks.fixture.ts';
import { isAct, parseDesk, toChanges, toStoredDesk, type DeskChanges } from './deskRecords.ts';
import { addPane, closePane, toDesk } from '#features/playground/web/desk/panes.ts';

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
