import { expect, it } from 'vitest';
import { findNextCell } from './cellKeys.ts';

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
  expect(findNextCell({ key, ctrlKey: isCtrl }, { row: 5, column: 2 }, SPAN)).toEqual(place),
);

it('never leaves the table', () => {
  expect(findNextCell({ key: 'ArrowDown', ctrlKey: false }, { row: 99, column: 3 }, SPAN)).toEqual({
    row: 99,
    column: 3,
  });
  expect(findNextCell({ key: 'ArrowLeft', ctrlKey: false }, { row: 0, column: 0 }, SPAN)).toEqual({
    row: 0,
    column: 0,
  });
});

it('walks by arrows to the ends, the names at the left among them, and no further; other keys are left alone', () => {
  const span = { rows: 3, columns: 5, firstColumn: -1 };
  const from = (row: number, column: number) =>
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageDown', 'a'].map((key) => {
      const next = findNextCell({ key, ctrlKey: false }, { row, column }, span);
      return next && `${next.row}${next.column}`;
    });
  expect(from(1, 2)).toEqual(['11', '13', '02', '22', '10', '14', null, null]);
  expect(from(0, 0)).toEqual(['0-1', '01', '00', '10', '0-1', '04', null, null]);
  expect(from(1, -1)).toEqual(['1-1', '10', '0-1', '2-1', '1-1', '14', null, null]);
  expect(from(2, 4)).toEqual(['23', '24', '14', '24', '20', '24', null, null]);
});
