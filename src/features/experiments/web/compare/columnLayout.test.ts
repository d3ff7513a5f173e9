import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toColumnLayout, toSlots } from './columnLayout.ts';

it('divides the width among the columns, and keeps the baseline in view where two columns fit', () => {
  expect(toColumnLayout(1000, 3)).toEqual({ names: 204, column: 264, isBaselineFixed: true });
  expect(toColumnLayout(618, 3)).toEqual({ names: 150, column: 156, isBaselineFixed: true });
  expect(toColumnLayout(618, 200)).toEqual({ names: 150, column: 152, isBaselineFixed: true });
  expect(toColumnLayout(360, 3).isBaselineFixed).toBe(false);
  expect(toColumnLayout(0, 0).column).toBeGreaterThan(0);
});

it('fills the room of columns that are not rendered', () => {
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
