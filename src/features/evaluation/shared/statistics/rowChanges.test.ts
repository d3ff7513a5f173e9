import { expect, it } from 'vitest';
import { toRowChanges } from './rowChanges.ts';
import { toRowValues } from './rowValues.fixture.ts';

it('lists the rows that got worse and better, the largest change first, and leaves out rows of one model alone', () => {
  const baseline = toRowValues([[1, 1], [0], [1], [0, 1], [1], [null], [1]]);
  const own = toRowValues([[1, 0], [1], [0], [1, 1], [1], [1], [null]]);
  expect(toRowChanges(own, baseline)).toEqual({ regressed: [2, 0], improved: [1, 3] });
});
