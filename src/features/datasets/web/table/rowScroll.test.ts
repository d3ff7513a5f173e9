import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceScroll, toContentHeight, toLastTop, toScroll, toShownTop, toVisible } from './rowScroll.ts';

const MILLION = { count: 1_000_000, rowHeight: 40, height: 600 };
const FEW = { count: 100, rowHeight: 40, height: 600 };
const START = { top: 0, scroll: 0 };

describe('a million rows', () => {
  it('are one element that browsers can draw', () => {
    expect(toContentHeight(MILLION)).toBeLessThan(16_000_000);
    expect(toContentHeight(FEW)).toBe(4000);
  });

  it('the wheel moves by pixels, whatever the scroll bar stands for', () => {
    let place = START;
    for (let turn = 1; turn <= 50; turn += 1) place = reduceScroll(MILLION, place, turn * 100);
    expect(place.top).toBeCloseTo((50 * 100) / 40);
  });

  it('the scroll bar jumps to its share of all rows, and reaches both ends', () => {
    const most = toContentHeight(MILLION) - MILLION.height;
    expect(reduceScroll(MILLION, START, most / 2).top).toBeCloseTo(toLastTop(MILLION) / 2, -1);
    expect(reduceScroll(MILLION, START, most).top).toBe(toLastTop(MILLION));
    expect(reduceScroll(MILLION, { top: 500, scroll: 100 }, 0).top).toBe(0);
  });

  it('each row can be shown, and stays where it is when it is on screen', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.double({ min: 0, max: 1, noNaN: true }), (row, share) => {
        const top = toShownTop(MILLION, share * toLastTop(MILLION), row);
        expect(top).toBeLessThanOrEqual(row);
        expect(top + MILLION.height / MILLION.rowHeight).toBeGreaterThanOrEqual(row + 0.999);
        expect(toShownTop(MILLION, top, row)).toBe(top);
        const [from, to] = toVisible(MILLION, top);
        expect(from).toBeLessThanOrEqual(row);
        expect(to).toBeGreaterThan(row);
        expect(to - from).toBeLessThan(20);
        expect(reduceScroll(MILLION, { top: 0, scroll: -1e7 }, toScroll(MILLION, top)).top).toBeCloseTo(top, 0);
      }),
    );
  });
});

it('few rows scroll like every other list', () => {
  expect(reduceScroll(FEW, START, 100).top).toBe(2.5);
  expect(reduceScroll(FEW, { top: 2.5, scroll: 100 }, 3400).top).toBe(85);
  expect(toScroll(FEW, 2.5)).toBeCloseTo(100);
  expect(toVisible(FEW, 85)).toEqual([85, 100]);
});

it('rows that all fit do not scroll', () => {
  const fitting = { count: 3, rowHeight: 40, height: 600 };
  expect(toLastTop(fitting)).toBe(0);
  expect(toScroll(fitting, 2)).toBe(0);
  expect(toVisible(fitting, 0)).toEqual([0, 3]);
  expect(toShownTop(fitting, 0, 2)).toBe(0);
});
