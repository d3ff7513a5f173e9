import { expect, it } from 'vitest';
import { lineOf } from './lines.fixture.ts';
import { toSummary } from './summary.ts';

it('sums up the part in view', () => {
  expect(toSummary(lineOf([9, 4, Number.NaN, 6, 1]), { from: 1, to: 3 })).toEqual({
    first: 4,
    last: 6,
    low: 4,
    lowAt: 1,
    high: 6,
    highAt: 3,
    points: 3,
    broken: 1,
  });
  expect(toSummary(lineOf([1]), { from: 5, to: 6 })).toBeNull();
});
