import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findNextCell, toColumnLayout, toSlots } from './columnLayout.ts';

it('shares the width out, and keeps the baseline in view where two columns fit', () => {
  expect(toColumnLayout(1000, 3)).toEqual({ names: 204, column: 264, isBaselineFixed: true });
  expect(toColumnLayout(618, 3)).toEqual({ names: 150, column: 156, isBaselineFixed: true });
  expect(toColumnLayout(618, 200)).toEqual({ names: 150, column: 152, isBaselineFixed: true });
  expect(toColumnLayout(360, 3).isBaselineFixed).toBe(false);
  expect(toColumnLayout(0, 0).column).toBeGreaterThan(0);
});

it('fills the room of what is not drawn', () => {
  expect(toSlots([2, 3, 7], 10, 100)).toEqual([
    { kind: 'gap', index: 0, width: 200 },
    { kind: 'column', index: 2 },
    { kind: 'column', index: 3 },
    { kind: 'gap', index: 4, width: 300 },
    { kind: 'column', index: 7 },
    { kind: 'gap', index: 8, width: 200 },
  ]);
  expect(toSlots([], 0, 100)).toEqual([]);
});

it('always takes up the room of all columns', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.uniqueArray(fc.nat(50)), (count, drawn) => {
      const slots = toSlots(
        drawn.filter((index) => index < count).toSorted((a, b) => a - b),
        count,
        10,
      );
      expect(slots.reduce((sum, slot) => sum + (slot.kind === 'gap' ? slot.width : 10), 0)).toBe(count * 10);
    }),
  );
});

it('walks by arrows to the ends, the names at the left among them, and no further; other keys are left alone', () => {
  const size = { rows: 3, columns: 5 };
  const from = (row: number, column: number) =>
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'a'].map((key) => {
      const next = findNextCell(key, { row, column }, size);
      return next && `${next.row}${next.column}`;
    });
  expect(from(1, 2)).toEqual(['11', '13', '02', '22', '10', '14', null]);
  expect(from(0, 0)).toEqual(['0-1', '01', '00', '10', '0-1', '04', null]);
  expect(from(1, -1)).toEqual(['1-1', '10', '0-1', '2-1', '1-1', '14', null]);
  expect(from(2, 4)).toEqual(['23', '24', '14', '24', '20', '24', null]);
});
