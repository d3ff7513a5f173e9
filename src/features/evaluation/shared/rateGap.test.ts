import { expect, it } from 'vitest';
import { toPassRate } from './passRate.ts';
import { toRateGap } from './rateGap.ts';

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
