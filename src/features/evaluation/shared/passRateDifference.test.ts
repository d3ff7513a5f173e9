import { describe, expect, it } from 'vitest';
import { toMcNemarP } from './pairedTest.ts';
import { toPassRate } from './passRate.ts';
import { toRateGap, toRowsGap } from './passRateDifference.ts';

it.each([
  // Newcombe 1998, table II, method 10.
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
])('gives the published interval of %i of %i beside %i of %i', (a, m, b, n, low, high) => {
  const gap = toRateGap(toPassRate(a, m), toPassRate(b, n));
  expect(gap?.low).toBeCloseTo(low, 4);
  expect(gap?.high).toBeCloseTo(high, 4);
});

it('has none without rows', () => expect(toRateGap(toPassRate(0, 0), toPassRate(1, 2))).toBeNull());

describe('two models on the same rows', () => {
  const toGap = (counts: readonly [both: number, own: number, other: number, neither: number]) => {
    const rows = ['11', '10', '01', '00'].flatMap((pair, at) => Array<string>(counts[at]!).fill(pair));
    const [own, other] = [0, 1].map((at) => rows.map((pair) => pair[at]).join(''));
    const share = (text: string) => ({
      share: [...text].filter((each) => each === '1').length / rows.length,
      right: text,
    });
    return toRowsGap(share(own!), share(other!), rows.length);
  };

  it.each([
    // Newcombe 1998, Statistics in Medicine 17:2635, method 10.
    [[36, 12, 2, 0], 5.7, 34],
    // Fagerland, Lydersen and Laake 2014, doi 10.1002/sim.6148, of Bentur et al. 2009.
    [[1, 1, 7, 12], -50.7, -2.6],
  ] as const)('have the published interval of pairs %j', (counts, low, high) =>
    expect(toGap(counts)).toMatchObject({ low, high }),
  );

  it('are tested by the rows that only one of them answers', () =>
    expect(toGap([180, 15, 3, 2])?.p).toBeCloseTo(toMcNemarP(15, 3), 12));

  it('have the interval of two groups where it is not known which rows are right', () => {
    const known = { share: 0.5, right: '10' };
    for (const other of [null, '1', '1010'])
      expect(toRowsGap(known, { share: 0.5, right: other }, 2)).toMatchObject({ p: null, low: -57.3, high: 57.3 });
  });
});
