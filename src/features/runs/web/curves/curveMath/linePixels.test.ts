import { array, assert, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf } from './lines.fixture.ts';
import { fromPixel, toCorners, toPathText, toPixel, toY, type Frame } from './linePixels.ts';

const frame: Frame = {
  x: { from: 0, to: 100 },
  low: 0,
  high: 10,
  isLog: false,
  left: 10,
  right: 110,
  top: 0,
  bottom: 100,
};

describe('toCorners', () => {
  it('draws a short line point by point', () => {
    const short = { ...frame, x: { from: 0, to: 2 } };
    expect([...toCorners(lineOf([0, 10, 5]), short)]).toEqual([10, 100, 60, 0, 110, 50]);
  });

  it('breaks the line where a value is not finite', () => {
    const short = { ...frame, x: { from: 0, to: 2 } };
    expect(toPathText(toCorners(lineOf([0, Number.NaN, 5]), short))).toBe('M10 100M110 50');
  });

  it('keeps the lowest and highest value of each column of a long line', () => {
    assert(
      property(array(double({ min: 0, max: 10, noNaN: true }), { minLength: 900, maxLength: 2000 }), (values) => {
        const dense = { ...frame, x: { from: 0, to: values.length - 1 } };
        const corners = toCorners(lineOf(values), dense);
        expect(corners.length).toBeLessThanOrEqual(2 * 2 * 102);
        const ys = [...corners].filter((_, at) => at % 2 === 1);
        expect(Math.min(...ys)).toBeCloseTo(toY(dense, Math.max(...values)), 6);
        expect(Math.max(...ys)).toBeCloseTo(toY(dense, Math.min(...values)), 6);
      }),
      { numRuns: 30 },
    );
  });

  it('shows one spike among 100,000 points', () => {
    const values = Array.from({ length: 100_000 }, (_, at) => (at === 54_321 ? 9 : 1));
    const corners = toCorners(lineOf(values), { ...frame, x: { from: 0, to: 99_999 } });
    const at = [...corners].findIndex((y, index) => index % 2 === 1 && y < 50);
    expect(corners[at]).toBeCloseTo(toY(frame, 9), 6);
    expect(Math.abs(corners[at - 1]! - (10 + 54.321))).toBeLessThan(1);
  });
});

describe('places', () => {
  it('finds the value of the pixel that it gave', () => {
    for (const x of [0, 12.5, 100]) expect(fromPixel(frame, toPixel(frame, x))).toBeCloseTo(x, 9);
  });

  it('has none on a logarithmic axis for 0', () => {
    const log = { ...frame, low: 0.1, high: 10, isLog: true };
    expect(toY(log, 1)).toBeCloseTo(50, 9);
    expect(toY(log, 0)).toBeNaN();
  });
});
