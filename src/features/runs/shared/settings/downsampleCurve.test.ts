import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { thin } from './downsampleCurve.ts';

const pointsOf = (values: readonly number[]) => ({
  length: values.length,
  steps: values.map((_, at) => at * 10),
  values,
});

describe('a thinned curve', () => {
  it('keeps both ends, peaks and dips', () => {
    const values = Array.from({ length: 10_000 }, () => 1);
    values[4321] = 50;
    values[777] = -3;
    const kept = thin(pointsOf(values), { limit: 40 });
    expect(kept.length).toBeLessThanOrEqual(40);
    expect(kept).toEqual(expect.arrayContaining([0, 777, 4321, 9999]));
  });

  it('keeps where values are not finite', () => {
    const values = Array.from({ length: 1000 }, (_, at) => (at >= 500 && at < 900 ? Number.NaN : at));
    values[100] = Number.POSITIVE_INFINITY;
    const kept = thin(pointsOf(values), { limit: 50 });
    expect(kept).toEqual(expect.arrayContaining([100, 500, 899]));
    expect(kept.length).toBeLessThanOrEqual(50);
  });

  it('is whole where it is short', () => expect(thin(pointsOf([3, 2, 1]), { limit: 10 })).toEqual([0, 1, 2]));

  it('of a range has one point beyond each end', () => {
    const points = pointsOf(Array.from({ length: 100 }, (_, at) => at));
    expect(thin(points, { limit: 100, from: 255, to: 290 })).toEqual([25, 26, 27, 28, 29, 30]);
    expect(thin(points, { limit: 100, from: 5000, to: 6000 })).toEqual([99]);
    expect(thin(points, { limit: 100, from: -50, to: -1 })).toEqual([0]);
    expect(thin(pointsOf([]), { limit: 100, from: 1, to: 2 })).toEqual([]);
  });

  it('never has more points than asked for, in order, each once', () => {
    const value = fc.oneof(fc.double({ min: -9, max: 9 }), fc.constant(Number.NaN), fc.constant(Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 400 }), fc.integer({ min: 4, max: 60 }), (values, limit) => {
        const kept = thin(pointsOf(values), { limit });
        expect(kept.length).toBeLessThanOrEqual(Math.max(limit, 4));
        expect([...new Set(kept)].toSorted((a, b) => a - b)).toEqual(kept);
        if (values.length > 0) expect([kept[0], kept.at(-1)]).toEqual([0, values.length - 1]);
        const [finite, shown] = [values, kept.map((at) => values[at]!)].map((all) => all.filter(Number.isFinite));
        // `+ 0`: of equal extremes either zero may be kept.
        if (finite!.length === values.length)
          expect([Math.min(...shown!) + 0, Math.max(...shown!) + 0]).toEqual([
            Math.min(...finite!) + 0,
            Math.max(...finite!) + 0,
          ]);
      }),
    );
  });
});
