import { expect, it } from 'vitest';
import { countPairs, readRightRows, rightRowsSchema, toRightRows } from './rightRows.ts';

it('a row that was not measured keeps its place', () => {
  expect(toRightRows([true, false, true])).toBe('101');
  const text = toRightRows([true, false], [1, 2], 4);
  expect(text).toBe('-10-');
  expect(rightRowsSchema.safeParse(text).success).toBe(true);
  expect(readRightRows(text ?? '', 4)).toEqual([null, true, false, null]);
});

it('it is not known which rows a text of another length is about', () => {
  expect(readRightRows('10', 3)).toBeNull();
  expect(readRightRows('', 0)).toEqual([]);
});

it('of more rows than are written down the first ones are', () => {
  const text = toRightRows([true, false], [0, 1], 20_000) ?? '';
  expect(text).toBe('10'.padEnd(10_000, '-'));
  expect(readRightRows(text, 20_000)?.slice(0, 3)).toEqual([true, false, null]);
  expect(toRightRows(Array.from({ length: 10_001 }, () => true))).toBeUndefined();
  expect(toRightRows([true], [10_000], 10_001)).toBeUndefined();
});

it.each([
  ['1100', '1010', { both: 1, own: 1, other: 1, neither: 1 }],
  ['-110', '-101', { both: 1, own: 1, other: 1, neither: 0 }],
  ['-11', '1-1', null],
  ['11', '111', null],
  ['', '', null],
])('%s beside %s counts the rows that both measured', (own, other, counts) =>
  expect(countPairs(own, other)).toEqual(counts),
);
