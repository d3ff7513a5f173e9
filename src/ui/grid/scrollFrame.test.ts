import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  reduceScroll,
  toDrawn,
  toFirst,
  toLastTop,
  toLength,
  toScroll,
  toShownTop,
  toSlots,
  type ScrollFrame,
} from './scrollFrame.ts';

const MILLION = { count: 1_000_000, size: 40, view: 600 };
const FEW = { count: 100, size: 40, view: 600 };
const START = { top: 0, scroll: 0 };
const MARGIN = 4;
const drawnAt = (frame: ScrollFrame, top: number) => toDrawn(frame, toFirst(top, MARGIN), MARGIN);

describe('a million rows', () => {
  it('are one element that browsers can draw', () => {
    expect(toLength(MILLION)).toBeLessThan(16_000_000);
    expect(toLength(FEW)).toBe(4000);
  });

  it('the wheel moves by pixels, whatever the scroll bar stands for', () => {
    let place = START;
    for (let turn = 1; turn <= 50; turn += 1) place = reduceScroll(MILLION, place, turn * 100);
    expect(place.top).toBeCloseTo((50 * 100) / 40);
  });

  it('the scroll bar jumps to its share of all rows, and reaches both ends', () => {
    const most = toLength(MILLION) - MILLION.view;
    expect(reduceScroll(MILLION, START, most / 2).top).toBeCloseTo(toLastTop(MILLION) / 2, -1);
    expect(reduceScroll(MILLION, START, most).top).toBe(toLastTop(MILLION));
    expect(reduceScroll(MILLION, { top: 500, scroll: 100 }, 0).top).toBe(0);
  });

  it('each row can be shown, and stays where it is when it is on screen', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.double({ min: 0, max: 1, noNaN: true }), (row, share) => {
        const top = toShownTop(MILLION, share * toLastTop(MILLION), row);
        expect(top).toBeLessThanOrEqual(row);
        expect(top + MILLION.view / MILLION.size).toBeGreaterThanOrEqual(row + 0.999);
        expect(toShownTop(MILLION, top, row)).toBe(top);
        const [from, to] = drawnAt(MILLION, top);
        expect(from).toBeLessThanOrEqual(row);
        expect(to).toBeGreaterThan(row);
        expect(to - from).toBeLessThan(30);
        expect(to).toBeGreaterThanOrEqual(Math.min(MILLION.count, top + MILLION.view / MILLION.size));
        expect(reduceScroll(MILLION, { top: 0, scroll: -1e7 }, toScroll(MILLION, top)).top).toBeCloseTo(top, 0);
      }),
    );
  });
});

it('few rows scroll like every other list', () => {
  expect(reduceScroll(FEW, START, 100).top).toBe(2.5);
  expect(reduceScroll(FEW, { top: 2.5, scroll: 100 }, 3400).top).toBe(85);
  expect(toScroll(FEW, 2.5)).toBeCloseTo(100);
  expect(drawnAt(FEW, 40)).toEqual([36, 61]);
  expect(drawnAt(FEW, 85)).toEqual([75, 100]);
});

it('rows that all fit do not scroll', () => {
  const fitting = { count: 3, size: 40, view: 600 };
  expect(toLastTop(fitting)).toBe(0);
  expect(toScroll(fitting, 2)).toBe(0);
  expect(drawnAt(fitting, 0)).toEqual([0, 3]);
  expect(toShownTop(fitting, 0, 2)).toBe(0);
});

it('the room of rows that are not drawn stands between those that are', () => {
  expect(toSlots([2, 3, 7], { count: 10, size: 40, view: 600 })).toEqual({
    slots: [
      { item: 2, gap: 80 },
      { item: 3, gap: 0 },
      { item: 7, gap: 120 },
    ],
    after: 80,
  });
  expect(toSlots([], { count: 0, size: 40, view: 600 })).toEqual({ slots: [], after: 0 });
});

it('rows always take up the room of all, also where the scroll bar is scaled', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(FEW, MILLION),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(99),
      (frame, share, kept) => {
        const top = share * toLastTop(frame);
        const [from, to] = drawnAt(frame, top);
        const drawn = Array.from({ length: to - from }, (_, at) => from + at);
        const items = [...new Set([kept, ...drawn])].toSorted((a, b) => a - b);
        const shift = frame === MILLION ? toScroll(frame, top) - top * frame.size : 0;
        const { slots, after } = toSlots(items, frame, shift);
        expect(slots.reduce((sum, { gap }) => sum + gap + frame.size, after)).toBeCloseTo(toLength(frame), 3);
        // The row at the upper edge stands where the box is scrolled to; none stands above the list, as some of the first would.
        const above = slots.filter(({ item }) => item < top).reduce((sum, { gap }) => sum + gap + frame.size, 0);
        const late = Math.max(0, -(from * frame.size + shift));
        expect(late).toBeLessThan((MARGIN + 1) * frame.size);
        if (kept >= from) expect(Math.abs(above - toScroll(frame, top))).toBeLessThanOrEqual(frame.size + late);
      },
    ),
    { examples: [[MILLION, 0.000001, 0]] },
  );
});
