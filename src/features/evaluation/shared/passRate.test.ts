import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPassRate } from './passRate.ts';

// Published values: Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i: %f to %f', (passed, total, low, high) => {
  const found = toPassRate(passed, total);
  expect(found.rate).toBe(passed / total);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

it('knows nothing without rows', () =>
  expect(toPassRate(0, 0)).toEqual({ passed: 0, total: 0, rate: null, low: 0, high: 1 }));

it('holds the rate, stays within 0 and 1, and narrows with more rows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (total, share) => {
      const passed = Math.round(total * share);
      const { low, high, rate } = toPassRate(passed, total);
      expect(low >= 0 && high <= 1 && low <= rate! && rate! <= high).toBe(true);
      const more = toPassRate(passed * 4, total * 4);
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});
