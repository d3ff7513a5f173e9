import { describe, expect, it } from 'vitest';
import { planEpoch, toPasses } from './packing.ts';

const LENGTHS = Array.from({ length: 300 }, (_, index) => 40 + ((index * 37) % 90));
const sumOf = (rows: readonly number[]): number => rows.reduce((sum, row) => sum + (LENGTHS[row] ?? 0), 0);

describe('an epoch', () => {
  it('has each row once, in batches that fit and are full', () => {
    const batches = planEpoch(LENGTHS, 1024, 1, 0);
    expect(batches.flat().sort((one, other) => one - other)).toEqual([...LENGTHS.keys()]);
    expect(batches.every((batch) => sumOf(batch) <= 1024)).toBe(true);
    expect(sumOf([...LENGTHS.keys()]) / (batches.length * 1024)).toBeGreaterThan(0.95);
  });

  it('is the same for the same seed, and in another order the next time', () => {
    expect(planEpoch(LENGTHS, 1024, 1, 0)).toEqual(planEpoch(LENGTHS, 1024, 1, 0));
    expect(planEpoch(LENGTHS, 1024, 1, 1)).not.toEqual(planEpoch(LENGTHS, 1024, 1, 0));
    expect(planEpoch(LENGTHS, 1024, 2, 0)).not.toEqual(planEpoch(LENGTHS, 1024, 1, 0));
  });

  it('gives a row that is longer than a batch a batch of its own', () => {
    const batches = planEpoch([500, 20, 20], 128, 0, 0);
    expect(batches).toContainEqual([0]);
    expect(batches).toHaveLength(2);
  });
});

describe('passes', () => {
  it('cut a batch where the memory ends, in order', () => {
    expect(toPasses([0, 1, 2, 3], [60, 40, 1, 100], 100)).toEqual([[0, 1], [2], [3]]);
  });
});
