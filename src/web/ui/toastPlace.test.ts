import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toToastPlace, type Box } from './toastPlace.ts';

const ROOM = { width: 1280, height: 800 };
const SIZE = { width: 320, height: 40 };
const CORNER = { left: 944, top: 744 };
const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height });
const place = (kept: readonly Box[], last: { left: number; top: number } | null = null) =>
  toToastPlace(kept, SIZE, ROOM, last);

describe('toToastPlace', () => {
  it('takes the lower right corner, if it is free', () => {
    expect(place([])).toEqual(CORNER);
    expect(place([box(0, 0, 900, 800), box(1000, 760, 0, 20), box(1000, 900, 50, 50)])).toEqual(CORNER);
  });

  it('goes to the nearest place that covers no control', () => {
    expect(place([box(900, 640, 380, 160)])).toEqual({ left: 944, top: 584 });
    expect(place([box(940, 0, 340, 800)])).toEqual({ left: 608, top: 744 });
  });

  it('stays where it is, until a control comes below it', () => {
    const last = { left: 400, top: 200 };
    expect(place([], last)).toBe(last);
    expect(place([box(500, 210, 20, 20)], last)).toEqual(CORNER);
  });

  it('covers as little as possible where everything is a control', () => {
    const { left, top } = place([box(0, 0, 1280, 700), box(0, 700, 1280, 38), box(960, 738, 300, 62)]);
    expect([left + SIZE.width <= 960, top >= 738]).toEqual([true, true]);
    expect(place([box(0, 0, 1280, 800)])).toEqual(CORNER);
  });

  it('stays within the window, whatever is in it', () => {
    const side = fc.integer({ min: 0, max: 900 });
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side, side, side)), (boxes) => {
        const { left, top } = place(boxes.map(([x, y, width, height]) => box(x, y, width, height)));
        expect(left >= 0 && left + SIZE.width <= ROOM.width && top >= 0 && top + SIZE.height <= ROOM.height).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
