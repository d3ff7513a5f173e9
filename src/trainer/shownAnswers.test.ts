import { describe, expect, it } from 'vitest';
import { pickShown } from './shownAnswers.ts';

const right = (count: number, isRight: (row: number) => boolean, loss: (row: number) => number) => ({
  isRight: Array.from({ length: count }, (_, row) => isRight(row)),
  losses: Array.from({ length: count }, (_, row) => loss(row)),
});

describe('the rows that are shown', () => {
  it('are the worst wrong ones where nothing was before', () => {
    const now = right(
      20,
      (row) => row % 2 === 0,
      (row) => row,
    );
    expect(pickShown(now, null)).toEqual([19, 17, 15, 13, 11]);
  });

  it('are then those that became right, and those that gained most', () => {
    const before = right(
      20,
      () => false,
      () => 30,
    );
    const now = right(
      20,
      (row) => row === 3 || row === 18,
      (row) => row,
    );
    expect(pickShown(now, before)).toEqual([19, 17, 16, 15, 14, 3, 18, 0, 1, 2]);
  });

  it('leave out what got worse, and are none twice', () => {
    const before = right(
      4,
      () => true,
      () => 0,
    );
    const now = right(
      4,
      (row) => row !== 2,
      (row) => row,
    );
    expect(pickShown(now, before)).toEqual([2]);
  });
});
