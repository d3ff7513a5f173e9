import { describe, expect, it } from 'vitest';
import { toRangeText, toSortOptions, toStepOptions, toValueText } from './completionWords.ts';

describe('completions in words', () => {
  it('offers each step once, the newest first', () => {
    const files = [10, 2, null, 10].map((step) => ({ path: 'x', step }));
    expect(toStepOptions(files).map(({ value }) => value)).toEqual(['10', '2']);
  });

  it('offers each measure in both orders, then the file', () => {
    expect(toSortOptions(['reward']).map(({ value, label }) => [value, label])).toEqual([
      ['reward', 'reward, highest first'],
      ['-reward', 'reward, lowest first'],
      ['', 'as in the file'],
    ]);
  });

  it.each([
    [0.123_456, '0.1235'],
    [-1, '-1'],
    ['NaN', 'NaN'],
    [null, 'none'],
    [undefined, 'none'],
  ] as const)('writes %s as %s', (value, text) => {
    expect(toValueText(value)).toBe(text);
  });

  it.each([
    [0, 8, 8, 8, '8 rows'],
    [50, 50, 120, 120, '51 to 100 of 120 rows'],
    [0, 3, 3, 120, '3 found in 120 rows'],
    [0, 0, 0, 120, 'none found in 120 rows'],
    [0, 0, 0, 0, 'no rows'],
  ])('says of %i, %i, %i, %i: %s', (offset, shown, found, total, text) => {
    expect(toRangeText(offset, shown, found, total)).toBe(text);
  });
});
