import { describe, expect, it } from 'vitest';
import { toSmoothed } from './smoothing.ts';

describe('toSmoothed', () => {
  it('leaves a constant curve as it is, from its first point on', () => {
    for (const value of toSmoothed(Float64Array.of(3, 3, 3, 3), 0.9)) expect(value).toBeCloseTo(3, 12);
  });

  it('weighs the last average by its weight, corrected for the start', () => {
    expect(toSmoothed(Float64Array.of(0, 1), 0.5)[1]).toBeCloseTo(2 / 3, 12);
  });

  it('keeps what is not finite, and goes on after it', () => {
    const smoothed = toSmoothed(Float64Array.of(1, Number.NaN, 1), 0.9);
    expect([...smoothed].map((value) => Number(value.toFixed(9)))).toEqual([1, Number.NaN, 1]);
  });

  it('returns the same values without a weight', () => {
    const values = Float64Array.of(1, 2);
    expect(toSmoothed(values, 0)).toBe(values);
  });
});
