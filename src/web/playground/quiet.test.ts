import { afterEach, expect, it } from 'vitest';
import { toQuietText } from './quiet.ts';
import { announceAnswer, dropAnswer, hearAnswer, readHeard } from '#web/playground/desk/runningAnswers.ts';

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
  announceAnswer('p', 'a');
  announceAnswer('p', 'b');
  announceAnswer('q', 'c');
  expect(readHeard('p')).toEqual([]);
  hearAnswer('a', 5);
  hearAnswer('c', 6);
  hearAnswer('a', 7);
  hearAnswer('unknown', 8);
  expect([readHeard('p'), readHeard('q'), readHeard('r')]).toEqual([[7], [6], []]);
  dropAnswer('a');
  expect(readHeard('p')).toEqual([]);
});
