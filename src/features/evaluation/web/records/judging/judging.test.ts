import { expect, it } from 'vitest';
import type { JudgementQueue } from '#features/evaluation/shared/contract/judgements.ts';
import {
  addItems,
  countOpen,
  forget,
  isDone,
  move,
  sayOf,
  takeBack,
  toJudging,
  toSaid,
  type Judging,
  type Said,
} from './judging.ts';
import { toPositionWarning, toStrengthText } from './judgementWords.ts';

const toItem = (id: string) => ({ id, position: 0, messages: [], expected: null, answers: [] });
const toQueue = (ids: readonly string[], more: Partial<JudgementQueue> = {}): JudgementQueue => ({
  items: ids.map(toItem),
  judged: 5,
  total: 9,
  people: 0,
  last: null,
  has_ended: true,
  ...more,
});
const PASS: Said = { outcome: 'pass', comment: null, correction: null };
/** The item on show is judged. */
const say = (state: Judging, said = PASS): Judging => sayOf(state, state.items[state.at]?.id ?? '', said);

it('shows the next open item after each judgement, and a skipped one at the end', () => {
  let state = toJudging(toQueue(['a', 'b', 'c']));
  state = move(state, 1);
  state = say(state);
  expect(state).toMatchObject({ at: 2, judged: 6, people: 1 });
  state = say(state);
  expect(state.at).toBe(0);
  state = say(state);
  expect([state.at, state.judged, countOpen(state)]).toEqual([3, 8, 0]);
});

it('counts an item once that is judged twice', () => {
  let state = say(toJudging(toQueue(['a', 'b'])));
  state = say(move(state, -1), { ...PASS, outcome: 'fail' });
  expect(state).toMatchObject({ judged: 6, at: 1 });
  expect(state.said.get('a')?.outcome).toBe('fail');
});

it('goes back to an item that is taken back', () => {
  const state = say(say(toJudging(toQueue(['a', 'b', 'c']))));
  expect(takeBack(state, 'b')).toMatchObject({ at: 1, judged: 6, order: ['a'] });
  expect(takeBack(state, 'c')).toBe(state);
  expect(takeBack({ ...state, last: 'z' }, 'z').last).toBeNull();
});

it('adds items that are not there yet, until there are no others', () => {
  const state = say(toJudging(toQueue(['a', 'b'])));
  const more = addItems(state, toQueue(['b', 'c'], { people: 2 }));
  expect(more).toMatchObject({ isWhole: false, people: 2, at: 1 });
  expect(more.items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(addItems(more, toQueue(['b', 'c'])).isWhole).toBe(true);
});

it('stays at the item on show when another one could not be stored', () => {
  const state = say(toJudging(toQueue(['a', 'b'])));
  expect(forget(state, 'a', PASS)).toMatchObject({ at: 1, judged: 5, order: [] });
  expect(forget(state, 'a', { ...PASS })).toBe(state);
  expect(forget(say(state), 'a', PASS).at).toBe(0);
});

it('is done when as many are judged as there are and the run has ended', () => {
  const judgeAll = (queue: JudgementQueue): Judging => queue.items.reduce((state) => say(state), toJudging(queue));
  expect(isDone(judgeAll(toQueue(['a', 'b', 'c', 'd'])))).toBe(true);
  expect(isDone(judgeAll(toQueue(['a', 'b', 'c'])))).toBe(false);
  const early = judgeAll(toQueue(['a', 'b', 'c', 'd'], { has_ended: false }));
  expect(isDone(early)).toBe(false);
  const none = addItems(early, toQueue([], { judged: 9 }));
  expect([isDone(none), isDone(addItems(early, toQueue(['e'], { judged: 9, total: 10 })))]).toEqual([true, false]);
});

it('says a correction only where it changes a text', () => {
  const toAnswered = (text: string, calls: readonly string[] = []) => ({
    answers: [{ text, tool_calls: calls.map((name) => ({ name, arguments: '{}' })) }],
  });
  const correctionOf = (item: ReturnType<typeof toAnswered>, correction: string) =>
    toSaid(item, 'fail', { comment: ' ', correction });
  expect(correctionOf(toAnswered('yes'), 'no')).toEqual({ outcome: 'fail', comment: null, correction: 'no' });
  expect(correctionOf(toAnswered('yes'), 'yes').correction).toBeNull();
  expect(correctionOf(toAnswered('yes'), ' ').correction).toBeNull();
  expect(correctionOf(toAnswered('', ['f']), 'f({})').correction).toBeNull();
});

it('says that a strength without bound is not known yet', () => {
  expect(toStrengthText({ strength: null, low: null, high: null })).toBe('not known yet: judge more pairs');
});

it('warns of a judge of pairs that decides by position, with its figures', () => {
  const rate = { pairs: 2, win_rate: 0.5, low: 0, high: 1 };
  const models = [3, 1].map((flipped) =>
    Object.assign({ model: 'm', is_own: false, ties: 3, flipped, people: null }, rate),
  );
  expect(toPositionWarning({ decides_by_position: false, models })).toBeNull();
  expect(toPositionWarning({ decides_by_position: true, models })).toMatch(
    /by position: in 4 of 4 pairs .*say nothing/,
  );
});
