import { describe, expect, it } from 'vitest';
import { reduceRangeKey, toStops } from './brushKeys.ts';
import type { AxisBrush } from '#ui/plots/scales/brush.ts';
import { toShownCategories } from '#ui/plots/scales/categories.ts';
import { reduceWalk } from './spotWalk.ts';
import { numberAxis } from '#ui/plots/scales/axes.fixture.ts';

const axis = numberAxis('count', 'batch', 8, 16, 32, 64, 32);
const range = (from: number | null, to: number | null): AxisBrush => ({ kind: 'range', from, to });

describe('the ends of a range', () => {
  it('stop at the values, or at ticks where these are many', () => {
    expect(toStops(axis)).toEqual([8, 16, 32, 64]);
    const many = numberAxis('number', 'loss', ...Array.from({ length: 60 }, (_, index) => index / 10));
    expect(toStops(many)).toEqual(many.ticks.map((tick) => tick.value));
  });

  it.each<[AxisBrush | undefined, 'from' | 'to', string, AxisBrush | null | undefined]>([
    [undefined, 'from', 'ArrowUp', range(16, null)],
    [undefined, 'from', 'ArrowDown', null],
    [undefined, 'to', 'ArrowDown', range(null, 32)],
    [range(16, null), 'from', 'ArrowDown', null],
    [range(16, 32), 'from', 'ArrowUp', range(32, 32)],
    [range(32, 32), 'from', 'ArrowUp', range(32, 32)],
    [range(16, 32), 'from', 'ArrowDown', range(null, 32)],
    [range(20, null), 'from', 'ArrowUp', range(32, null)],
    [range(20, null), 'from', 'ArrowDown', range(16, null)],
    [range(16, 32), 'to', 'End', range(16, null)],
    [range(null, 32), 'to', 'Home', range(null, 8)],
    [range(16, 32), 'to', 'Home', range(16, 16)],
    [range(16, 32), 'to', 'Escape', null],
    [undefined, 'to', 'Escape', undefined],
    [range(16, 32), 'to', 'a', undefined],
    [{ kind: 'values', values: [''] }, 'from', 'ArrowUp', range(16, null)],
  ])('%j, %s, %s', (chosen, end, key, expected) => expect(reduceRangeKey(axis, chosen, end, key)).toEqual(expected));
});

describe('categories', () => {
  const names = Array.from({ length: 30 }, (_, index) => `c${index}`);

  it('are labelled as far as they fit, and the active one always', () => {
    expect(toShownCategories(names.slice(0, 3), 100, null)).toEqual([0, 1, 2]);
    expect(toShownCategories(names, 130, null)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
    expect(toShownCategories(names, 130, 7)).toEqual([0, 3, 7, 12, 15, 18, 21, 24, 27]);
  });

  it('are walked by arrows and stop at the ends', () => {
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'x'].map((key) => reduceWalk(2, 3, key, -1))).toEqual([
      2,
      1,
      0,
      2,
      null,
    ]);
  });
});

it('points are walked by arrows and stop at the ends', () => {
  expect(
    ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End', 'Enter'].map((key) => reduceWalk(3, 20, key)),
  ).toEqual([4, 2, 13, 0, 0, 19, null]);
  expect([reduceWalk(null, 20, 'ArrowRight'), reduceWalk(19, 20, 'ArrowUp'), reduceWalk(null, 0, 'Home')]).toEqual([
    0,
    19,
    null,
  ]);
});
