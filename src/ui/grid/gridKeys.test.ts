import { expect, it } from 'vitest';
import { findNextPlace } from './gridKeys.ts';

const CELLS = { rows: 100, columns: 4, firstColumn: 0, page: 10 };
const ROWS = { ...CELLS, columns: null };
const press = (key: string, isCtrl = false) => ({ key, ctrlKey: isCtrl });

it.each([
  ['ArrowDown', false, { row: 6, column: 2 }],
  ['ArrowUp', false, { row: 4, column: 2 }],
  ['ArrowLeft', false, { row: 5, column: 1 }],
  ['ArrowRight', false, { row: 5, column: 3 }],
  ['PageDown', false, { row: 14, column: 2 }],
  ['PageUp', false, { row: 0, column: 2 }],
  ['PageDown', true, null],
  ['Home', false, { row: 5, column: 0 }],
  ['End', false, { row: 5, column: 3 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 99, column: 3 }],
  ['a', false, null],
] as const)('cells: %s (Ctrl %s)', (key, isCtrl, place) =>
  expect(findNextPlace(press(key, isCtrl), { row: 5, column: 2 }, CELLS)).toEqual(place),
);

it.each([
  ['ArrowDown', 98, 99],
  ['ArrowDown', 99, 99],
  ['ArrowUp', 1, 0],
  ['Home', 7, 0],
  ['End', 7, 99],
  ['PageDown', 7, 16],
  ['PageUp', 7, 0],
  ['ArrowLeft', 7, null],
  ['ArrowRight', 7, null],
] as const)('rows: %s from %i', (key, from, to) =>
  expect(findNextPlace(press(key), { row: from, column: 0 }, ROWS)?.row ?? null).toBe(to),
);

it('never leaves the table', () => {
  expect(findNextPlace(press('ArrowDown'), { row: 99, column: 3 }, CELLS)).toEqual({ row: 99, column: 3 });
  expect(findNextPlace(press('ArrowLeft'), { row: 0, column: 0 }, CELLS)).toEqual({ row: 0, column: 0 });
});

it('walks by arrows to the ends, the names at the left among them, and no further; other keys are left alone', () => {
  const span = { rows: 3, columns: 5, firstColumn: -1, page: 0 };
  const from = (row: number, column: number) =>
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageDown', 'a'].map((key) => {
      const next = findNextPlace(press(key), { row, column }, span);
      return next && `${next.row}${next.column}`;
    });
  expect(from(1, 2)).toEqual(['11', '13', '02', '22', '10', '14', null, null]);
  expect(from(0, 0)).toEqual(['0-1', '01', '00', '10', '0-1', '04', null, null]);
  expect(from(1, -1)).toEqual(['1-1', '10', '0-1', '2-1', '1-1', '14', null, null]);
  expect(from(2, 4)).toEqual(['23', '24', '14', '24', '20', '24', null, null]);
});
