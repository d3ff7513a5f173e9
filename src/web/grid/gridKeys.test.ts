import { expect, it } from 'vitest';
import { findNextPlace } from './gridKeys.ts';

const SPAN = { rows: 100, columns: 4, page: 10 };

it.each([
  ['ArrowDown', false, { row: 6, column: 2 }],
  ['ArrowUp', false, { row: 4, column: 2 }],
  ['ArrowLeft', false, { row: 5, column: 1 }],
  ['ArrowRight', false, { row: 5, column: 3 }],
  ['PageDown', false, { row: 14, column: 2 }],
  ['PageUp', false, { row: 0, column: 2 }],
  ['Home', false, { row: 5, column: 0 }],
  ['End', false, { row: 5, column: 3 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 99, column: 3 }],
  ['a', false, null],
] as const)('%s (Ctrl %s)', (key, isCtrl, place) =>
  expect(findNextPlace(key, isCtrl, { row: 5, column: 2 }, SPAN)).toEqual(place),
);

it('never leaves the grid', () => {
  expect(findNextPlace('ArrowDown', false, { row: 99, column: 3 }, SPAN)).toEqual({ row: 99, column: 3 });
  expect(findNextPlace('ArrowLeft', false, { row: 0, column: 0 }, SPAN)).toEqual({ row: 0, column: 0 });
});
