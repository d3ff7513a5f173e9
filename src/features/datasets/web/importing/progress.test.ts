import { describe, expect, it } from 'vitest';
import { addSample, toProgressText, toRate, toRowsText, type Sample } from './progress.ts';

const follow = (samples: readonly (readonly [number, number])[]): readonly Sample[] =>
  samples.reduce<readonly Sample[]>((all, [at, bytes]) => addSample(all, { at, bytes }), []);

describe('the rate of an upload', () => {
  it('is that of the last seconds', () => {
    const steady = follow(Array.from({ length: 21 }, (_, at) => [at * 500, at * 1000] as const));
    expect(toRate(steady)).toBeCloseTo(2000);
    expect(steady.length).toBeLessThan(14);
    const slower = follow([
      [0, 0],
      [1000, 100_000],
      [8000, 100_000],
      [9000, 101_000],
      [10_000, 102_000],
    ]);
    expect(toRate(slower)).toBeLessThan(2000);
  });

  it('is not known at once', () => {
    expect(toRate([])).toBeNull();
    expect(toRate(follow([[0, 0]]))).toBeNull();
    expect(
      toRate(
        follow([
          [0, 0],
          [100, 5000],
        ]),
      ),
    ).toBeNull();
  });
});

it('says how far, how quick and how long still', () => {
  const samples = follow([
    [0, 0],
    [1000, 1_000_000],
  ]);
  expect(toProgressText(samples, 10_000_000)).toBe('1 MB of 10 MB · 1 MB/s · 9.0 s left');
  expect(toProgressText([], 10_000_000)).toBe('0 B of 10 MB');
  expect(toProgressText(follow([[0, 500]]), 500)).toBe('500 B of 500 B');
  const stalled = follow([
    [0, 500],
    [9000, 500],
  ]);
  expect(toProgressText(stalled, 1000)).toBe('500 B of 1 kB · 0 B/s');
});

it.each([
  [0, 0, '0 rows yet'],
  [1, 0.4, '1 row · 0 rows/s'],
  [120_500, 41_000.4, '120,500 rows · 41,000 rows/s'],
])('%d rows at %d a second are told as %s', (rows, rows_per_second, text) =>
  expect(toRowsText({ rows, rows_per_second })).toBe(text),
);
