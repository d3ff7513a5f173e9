import { expect, it } from 'vitest';
import type { JudgementQueue } from '#features/evaluation/shared/contract/judgements.ts';
import { addItems, countOpen, move, sayOf, takeBack, toJudging, type Said } from './judging.ts';

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

it('shows the next open item after each judgement, and a skipped one at the end', () => {
  let state = toJudging(toQueue(['a', 'b', 'c']));
  state = move(state, 1);
  state = sayOf(state, PASS);
  expect(state).toMatchObject({ at: 2, judged: 6, people: 1 });
  state = sayOf(state, PASS);
  expect(state.at).toBe(0);
  state = sayOf(state, PASS);
  expect([state.at, state.judged, countOpen(state)]).toEqual([3, 8, 0]);
});

it('counts an item once that is judged twice', () => {
  let state = sayOf(toJudging(toQueue(['a', 'b'])), PASS);
  state = sayOf(move(state, -1), { ...PASS, outcome: 'fail' });
  expect(state).toMatchObject({ judged: 6, at: 1 });
  expect(state.said.get('a')?.outcome).toBe('fail');
});

it('goes back to an item that is taken back', () => {
  const state = sayOf(sayOf(toJudging(toQueue(['a', 'b', 'c'])), PASS), PASS);
  expect(takeBack(state, 'b')).toMatchObject({ at: 1, judged: 6, order: ['a'] });
  expect(takeBack(state, 'c')).toBe(state);
});

it('adds items that are not there yet, until there are no others', () => {
  const state = sayOf(toJudging(toQueue(['a', 'b'])), PASS);
  const more = addItems(state, toQueue(['b', 'c'], { people: 2 }));
  expect(more).toMatchObject({ isWhole: false, people: 2, at: 1 });
  expect(more.items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(addItems(more, toQueue(['b', 'c'])).isWhole).toBe(true);
});
