import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorRow, firstDrawn, ROW_HEIGHT, scrollTopFor, scrollTopOf, toRowWindow } from './rowWindow.ts';

const heights = fc.integer({ min: 1, max: 2_000 });
const counts = fc.integer({ min: 1, max: 100_000 });

describe('the drawn rows', () => {
  it('always hold every row that can be seen, and few more', () => {
    fc.assert(
      fc.property(heights, counts, fc.float({ min: 0, max: 1, noNaN: true }), (height, count, share) => {
        const scrollTop = Math.max(0, count * ROW_HEIGHT - height) * share;
        const { from, to } = toRowWindow(firstDrawn(scrollTop), height, count);
        expect(from).toBeLessThanOrEqual(anchorRow(scrollTop));
        expect(to).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((scrollTop + height) / ROW_HEIGHT)));
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(count);
        expect(to - from).toBeLessThanOrEqual(Math.ceil(height / ROW_HEIGHT) + 12);
      }),
    );
  });

  it('stay within rows that have become fewer', () => {
    expect(toRowWindow(99_000, 300, 5)).toEqual({ from: 0, to: 5 });
    expect(toRowWindow(0, 300, 0)).toEqual({ from: 0, to: 0 });
  });

  it('stay the same while less than a step is scrolled', () => {
    const steps = new Set(Array.from({ length: 600 }, (_, pixel) => firstDrawn(3_000 + pixel)));
    expect(steps.size).toBeLessThanOrEqual(6);
  });
});

describe('scrolling to a row', () => {
  it('moves as little as shows all of it', () => {
    expect(scrollTopFor(5, 0, 300)).toBe(0);
    expect(scrollTopFor(10, 0, 300)).toBe(30);
    expect(scrollTopFor(2, 300, 300)).toBe(60);
    expect(scrollTopFor(0, 3_000, 300)).toBe(0);
  });

  it('brings an anchor back to where it stood', () => {
    expect(scrollTopOf(anchorRow(3_017), 3_017 - scrollTopOf(anchorRow(3_017), 0))).toBe(3_017);
    expect(scrollTopOf(0, -5)).toBe(0);
  });
});
