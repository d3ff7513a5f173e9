import { array, assert, constant, constantFrom, nat, oneof, property, string, tuple, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  EMPTY_DESK,
  interruptAnswers,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Desk,
  type Pane,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { parseDesk, toChanges, toStoredDesk } from './deskRecords.ts';
import { isNewer, parseTail, toTail, toTailText, applyTail, type Tail } from './deskTail.ts';

const MOST = 2_000_000;
const HEAD = { version: 1, desk: 'd', mark: { life: 'now', count: 9 }, seen: null } as const;

/** A desk's records as a database holds them. */
interface Records {
  readonly record: unknown;
  readonly turns: ReadonlyMap<string, unknown>;
}

const NOTHING: Records = { record: undefined, turns: new Map() };

function write({ record, turns }: Records, before: Desk, after: Desk): Records {
  const changes = toChanges(before, after);
  if (!changes) return { record, turns };
  const next = new Map(turns);
  for (const turn of changes.turns) next.set(turn.id, structuredClone(turn));
  for (const id of changes.removed) next.delete(id);
  return { record: changes.desk ? structuredClone(changes.desk) : record, turns: next };
}

const said = (text: string, phase: 'streaming' | 'done' = 'streaming', id = 'a'): Turn =>
  toAnswerTurn(id, [{ ...toPendingAnswer(id, 'm', 1), phase, message: { ...EMPTY_MESSAGE, text } }]);
const withTurns = (...turns: Turn[]): Desk => ({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'm'), turns }] });

/** Through the tab's storage and back. */
function leave(bases: readonly Desk[], now: Desk, most = MOST): Tail | null {
  const changes = toTail(bases, now);
  return changes && parseTail(toTailText({ ...HEAD, ...changes }, most));
}

function read({ record, turns }: Records, tail: Tail | null): Desk {
  const list = [...turns.values()];
  const whole = tail ? applyTail(tail, record, list) : { record, turns: list };
  return parseDesk(whole.record, whole.turns).desk;
}

describe('a tail', () => {
  it('is null if everything is stored', () => {
    const desk = withTurns(said('a'));
    expect(toTail([desk], desk)).toBeNull();
    expect(toTail([desk], { ...desk, panes: [...desk.panes] })).toBeNull();
  });

  it('holds only the part of a long answer that the database lacks', () => {
    const begun = 'x'.repeat(100_000);
    const tail = toTail([withTurns(said(begun))], withTurns(said(`${begun}the rest`)));
    expect(JSON.stringify(tail)).toContain('the rest');
    expect(JSON.stringify(tail).length).toBeLessThan(1_000);
  });

  it('keeps the start of a text that does not fit, and marks it interrupted', () => {
    const before = withTurns(said(''));
    const now = withTurns(said('0123456789'.repeat(1_000), 'done'));
    const desk = read(write(NOTHING, EMPTY_DESK, before), leave([before], now, 3_000));
    const turn = desk.panes[0]?.turns[0];
    const answer = turn?.role === 'assistant' ? turn.versions[0] : undefined;
    expect(answer?.phase).toBe('interrupted');
    expect('0123456789'.repeat(1_000).startsWith(answer?.message.text ?? 'none')).toBe(true);
    expect(answer?.message.text.length).toBeGreaterThan(1_500);
  });

  it('that was shortened does not replace a longer text in the database', () => {
    const [before, sent] = [withTurns(said('')), withTurns(said('0123456789'.repeat(900)))];
    const now = withTurns(said('0123456789'.repeat(1_000)));
    const desk = read(write(NOTHING, EMPTY_DESK, sent), leave([before, sent], now, 3_000));
    expect(desk.panes).toEqual(interruptAnswers(sent).panes);
  });

  it.each([null, '', '{', '[]', '{"version":2}', '{"version":1,"desk":"d","mark":{"life":"a"}}'])(
    'that is damaged is none: %j',
    (text) => {
      expect(parseTail(text)).toBeNull();
    },
  );

  it.each<[string, Tail['seen'], { life: string; count: number } | null, boolean]>([
    ['nothing was ever stored', null, null, true],
    ['nothing was stored since the page was opened', { life: 'old', count: 3 }, { life: 'old', count: 3 }, true],
    ['an earlier write ended', null, { life: 'now', count: 8 }, true],
    ['a later write ended', null, { life: 'now', count: 10 }, false],
    ['another page wrote since', { life: 'old', count: 3 }, { life: 'other', count: 1 }, false],
    ['the page before wrote once more', { life: 'old', count: 3 }, { life: 'old', count: 4 }, false],
  ])('is newer or not: %s', (_what, seen, stored, expected) => {
    expect(isNewer({ ...HEAD, seen, record: null, turns: [], removed: [] }, stored)).toBe(expected);
  });
});

type Step = (desk: Desk, id: string) => Desk;

const mapTurns = (desk: Desk, at: number, change: (turns: readonly Turn[]) => readonly Turn[]): Desk => {
  const pane = desk.panes[at % Math.max(1, desk.panes.length)];
  return pane
    ? {
        ...desk,
        panes: desk.panes.map((each): Pane => (each === pane ? { ...pane, turns: change(pane.turns) } : each)),
      }
    : desk;
};

/** Changes the last answer of a pane. */
const answerStep =
  (at: number, change: (turn: Extract<Turn, { role: 'assistant' }>) => Turn): Step =>
  (desk) =>
    mapTurns(desk, at, (turns) => {
      const place = turns.findLastIndex(({ role }) => role === 'assistant');
      const turn = turns[place];
      return turn?.role === 'assistant' ? turns.with(place, change(turn)) : turns;
    });

const place = nat({ max: 3 });
const words = string({ maxLength: 6, unit: 'grapheme' });
const STEPS: Arbitrary<Step> = oneof(
  {
    weight: 6,
    arbitrary: tuple(place, words).map(([at, text]) =>
      answerStep(at, (turn) => ({
        ...turn,
        versions: turn.versions.map((answer, index) =>
          index === turn.versions.length - 1
            ? { ...answer, message: { ...answer.message, text: answer.message.text + text } }
            : answer,
        ),
      })),
    ),
  },
  {
    weight: 2,
    arbitrary: tuple(place, words).map(([at, text]) =>
      answerStep(at, (turn) => ({
        ...turn,
        versions: turn.versions.map((answer) => ({
          ...answer,
          message: { ...answer.message, reasoning: answer.message.reasoning + text },
        })),
      })),
    ),
  },
  tuple(place, words).map(([at, text]) =>
    answerStep(at, (turn) => ({
      ...turn,
      versions: turn.versions.map((answer) => ({
        ...answer,
        isEdited: true,
        phase: 'done' as const,
        message: { ...answer.message, text },
      })),
    })),
  ),
  place.map(
    (at): Step =>
      (desk, id) =>
        answerStep(at, (turn) => ({
          ...turn,
          shown: turn.versions.length,
          versions: [...turn.versions, toPendingAnswer(id, 'm', 2)],
        }))(desk, id),
  ),
  place.map((at): Step =>
    answerStep(at, (turn) => ({
      ...turn,
      versions: turn.versions.map((answer) => ({ ...answer, phase: 'done' as const })),
    })),
  ),
  {
    weight: 2,
    arbitrary: tuple(place, words).map(
      ([at, content]): Step =>
        (desk, id) =>
          mapTurns(desk, at, (turns) => [...turns, { id: `${id}u`, role: 'user', content }, said('', 'streaming', id)]),
    ),
  },
  tuple(place, place).map(
    ([at, gone]): Step =>
      (desk) =>
        mapTurns(desk, at, (turns) => turns.filter((_, index) => index !== gone)),
  ),
  place.map(
    (at): Step =>
      (desk) =>
        mapTurns(desk, at, (turns) => turns.toReversed()),
  ),
  constant<Step>((desk, id) => ({ ...desk, panes: [...desk.panes, toPane(id, 'm')] })),
  place.map((at): Step => (desk) => ({
    ...desk,
    panes: desk.panes.filter((_, index) => index !== at),
    parked: [...desk.parked, ...desk.panes.filter((_, index) => index === at)],
  })),
  words.map((draft): Step => (desk) => ({ ...desk, draft })),
);

/** What happens between two steps: a write begins, the oldest on its way ends, or nothing. */
const MOVES = constantFrom('begin', 'begin', 'end', 'none');

it('brings back the desk, whichever of the writes on their way have ended', () => {
  assert(
    property(array(tuple(STEPS, MOVES), { minLength: 1, maxLength: 30 }), nat({ max: 5 }), (steps, ended) => {
      const first = withTurns(said('begun'));
      let desk = first;
      let bases: Desk[] = [first];
      let stored = write({ record: toStoredDesk(EMPTY_DESK), turns: new Map() }, EMPTY_DESK, first);
      const endWrite = (): void => {
        const [before, after] = bases;
        if (!before || !after) return;
        stored = write(stored, before, after);
        bases = bases.slice(1);
      };
      for (const [index, [step, move]] of steps.entries()) {
        desk = step(desk, `id${index}`);
        if (move === 'begin' && desk !== bases.at(-1)) bases.push(desk);
        if (move === 'end') endWrite();
      }
      const tail = leave(bases, desk);
      for (let count = 0; count < ended; count += 1) endWrite();
      expectSame(
        read(stored, tail),
        parseDesk(
          toStoredDesk(desk),
          [...desk.panes, ...desk.parked].flatMap(({ turns }) => turns),
        ).desk,
      );
    }),
    { numRuns: 500 },
  );
});
