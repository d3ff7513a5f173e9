import { array, assert, constantFrom, double, nat, oneof, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toExtent, toPyramid, widen } from './pyramid.ts';

const value = oneof(double(), constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY));

describe('a pyramid', () => {
  it('gives the lowest and highest finite value of every stretch', () => {
    assert(
      property(array(value, { maxLength: 700 }), nat(700), nat(700), (values, a, b) => {
        const from = Math.min(a, b, values.length);
        const to = Math.min(Math.max(a, b), values.length);
        const extent = toExtent();
        widen(toPyramid(Float64Array.from(values)), from, to, extent);
        const finite = values.slice(from, to).filter(Number.isFinite);
        expect(extent.low).toBe(finite.reduce((low, next) => Math.min(low, next), Number.POSITIVE_INFINITY));
        expect(extent.high).toBe(finite.reduce((high, next) => Math.max(high, next), Number.NEGATIVE_INFINITY));
      }),
      { numRuns: 300 },
    );
  });

  it('widens what it gets', () => {
    const extent = { low: -5, high: 2 };
    widen(toPyramid(Float64Array.of(1, 7)), 0, 2, extent);
    expect(extent).toEqual({ low: -5, high: 7 });
  });
});
