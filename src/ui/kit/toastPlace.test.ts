import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toToastPlace, trackToastPlace, type Box } from './toastPlace.ts';

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

  it('leaves no place that covers less, or as little and is nearer', () => {
    const cover = (boxes: readonly Box[], left: number, top: number): number =>
      boxes.reduce((sum, each) => {
        const across = Math.min(left + SIZE.width, each.left + each.width + 4) - Math.max(left, each.left - 4);
        const down = Math.min(top + SIZE.height, each.top + each.height + 4) - Math.max(top, each.top - 4);
        return sum + Math.max(0, across) * Math.max(0, down);
      }, 0);
    const [side, length] = [fc.integer({ min: -50, max: 1270 }), fc.integer({ min: 60, max: 700 })];
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side, length, length), { maxLength: 12 }), (sides) => {
        const boxes = sides.map(([x, y, width, height]) => box(x, y, width, height)).filter(({ top }) => top < 800);
        const found = place(boxes);
        const least = cover(boxes, found.left, found.top);
        const far = Math.hypot(CORNER.left - found.left, CORNER.top - found.top);
        const better: (readonly [number, number])[] = [];
        for (let { left } = CORNER; left >= 16; left -= 16)
          for (let { top } = CORNER; top >= 16; top -= 16) {
            const area = cover(boxes, left, top);
            const isNearer = Math.hypot(CORNER.left - left, CORNER.top - top) < far;
            if (area < least || (isNearer && area === least)) better.push([left, top]);
          }
        expect(better).toEqual([]);
      }),
      { numRuns: 20 },
    );
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

describe('trackToastPlace', () => {
  it('gives the same place while nothing moves, and stays there as long as it can', () => {
    const toPlace = trackToastPlace();
    const wall = box(900, 640, 380, 160);
    const first = toPlace([wall], SIZE, ROOM);
    expect(first).toEqual({ left: 944, top: 584 });
    expect(toPlace([{ ...wall }], SIZE, ROOM)).toBe(first);
    expect(toPlace([], SIZE, ROOM)).toBe(first);
    expect(toPlace([box(944, 584, 10, 10)], SIZE, ROOM)).toEqual(CORNER);
    expect(toPlace([box(944, 584, 10, 10)], SIZE, { width: 1000, height: 800 })).toEqual({ left: 664, top: 744 });
  });
});
