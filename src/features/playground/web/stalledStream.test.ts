import { afterEach, expect, it } from 'vitest';
import { toQuietText } from './stalledStream.ts';
import {
  registerAnswer,
  dropAnswer,
  recordArrival,
  readLastArrivals,
} from '#features/playground/web/desk/runningAnswers.ts';

it.each<[string, readonly number[], number, string | null]>([
  ['no data yet', [], 100_000, null],
  ['data has just arrived', [100_000], 100_000, null],
  ['a short pause', [100_000], 129_999, null],
  ['a long pause', [100_000], 130_000, 'Nothing for 30 s'],
  ['a longer pause', [100_000], 175_900, 'Nothing for 1 min 15 s'],
  ['a pause while the page slept', [0], 7_200_000, 'Nothing for 2 h 00 min'],
  ['all of several answers: since the last data of any', [100_000, 110_000], 145_000, 'Nothing for 35 s'],
  ['some of several answers', [100_000, 140_000, 144_000], 145_000, '1 of 3: nothing for 45 s'],
  ['a clock that was set back', [100_000], 50_000, null],
])('%s', (_what, arrivals, now, expected) => expect(toQuietText(arrivals, now)).toBe(expected));

afterEach(() => ['a', 'b', 'c'].forEach(dropAnswer));

it('is told of the answers of one pane that have begun, and are not over', () => {
  registerAnswer('p', 'a');
  registerAnswer('p', 'b');
  registerAnswer('q', 'c');
  expect(readLastArrivals('p')).toEqual([]);
  recordArrival('a', 5);
  recordArrival('c', 6);
  recordArrival('a', 7);
  recordArrival('unknown', 8);
  expect([readLastArrivals('p'), readLastArrivals('q'), readLastArrivals('r')]).toEqual([[7], [6], []]);
  dropAnswer('a');
  expect(readLastArrivals('p')).toEqual([]);
});
