import { describe, expect, it } from 'vitest';
import { isEmptyRange, toBound, toIntegerBound, type Bound } from './numberBounds.ts';

const at = (value: number): Bound => ({ value, isExclusive: false });
const beyond = (value: number): Bound => ({ value, isExclusive: true });

it.each<[number | null, number | null, 1 | -1, Bound | null]>([
  [null, null, 1, null],
  [3, null, 1, at(3)],
  [null, 3, -1, beyond(3)],
  [3, 3, 1, beyond(3)],
  [4, 3, 1, at(4)],
  [3, 4, 1, beyond(4)],
  [4, 3, -1, beyond(3)],
  [3, 4, -1, at(3)],
])('of the bounds %j and beyond %j (%j) the stricter counts', (inclusive, exclusive, sign, expected) =>
  expect(toBound(inclusive, exclusive, sign)).toEqual(expected),
);

it.each<[Bound, 1 | -1, number]>([
  [at(3), 1, 3],
  [beyond(3), 1, 4],
  [beyond(3), -1, 2],
  [at(1.2), 1, 2],
  [beyond(1.2), -1, 1],
  [at(-1.2), 1, -1],
])('%j (%j) leaves whole numbers from %j on', (bound, sign, expected) =>
  expect(toIntegerBound(bound, sign)).toBe(expected),
);

describe('between two bounds', () => {
  it.each<[Bound | null, Bound | null, boolean, boolean]>([
    [at(5), at(3), false, true],
    [at(3), at(3), false, false],
    [beyond(3), at(3), false, true],
    [at(3), beyond(3), true, true],
    [beyond(3), beyond(4), false, false],
    [beyond(3), beyond(4), true, true],
    [at(1.2), at(1.8), true, true],
    [at(1.2), at(1.8), false, false],
    [at(5), null, true, false],
    [null, at(3), true, false],
  ])('%j and %j, whole numbers: %s, there is nothing: %s', (min, max, isInteger, expected) =>
    expect(isEmptyRange(min, max, isInteger)).toBe(expected),
  );
});
