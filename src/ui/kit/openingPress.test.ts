import { expect, it } from 'vitest';
import { watchOpeningPress } from './openingPress.ts';

it('the second half of the double click that opened the dialog is stray, as is the third', () => {
  const { isStray } = watchOpeningPress();
  const series = [
    ['mousedown', 2],
    ['click', 2],
    ['mousedown', 3],
    ['click', 3],
  ] as const;
  expect(series.map(([type, detail]) => isStray(type, detail))).toEqual([true, true, true, true]);
  expect([isStray('mousedown', 1), isStray('click', 1)]).toEqual([false, false]);
});

it('a series that begins in the dialog is meant, also a double click', () => {
  const { isStray } = watchOpeningPress();
  const series = [
    ['mousedown', 1],
    ['click', 1],
    ['mousedown', 2],
    ['click', 2],
  ] as const;
  expect(series.map(([type, detail]) => isStray(type, detail))).toEqual([false, false, false, false]);
});

it('a click by key is meant', () => expect(watchOpeningPress().isStray('click', 0)).toBe(false));
