import { describe, expect, it } from 'vitest';
import { findDivergence, toRate } from './schedule.ts';

describe('the learning rate', () => {
  const rates = Array.from({ length: 200 }, (_, index) => toRate(index + 1, 200, 1));

  it('rises over 20 steps and falls to a tenth', () => {
    expect(rates[0]).toBeCloseTo(0.05, 2);
    expect(rates.indexOf(Math.max(...rates))).toBe(19);
    expect(rates[100]).toBeCloseTo(0.55, 2);
    expect(rates.at(-1)).toBeCloseTo(0.1, 2);
  });

  it('rises over a fifth of a short run', () => {
    expect(toRate(1, 1, 1)).toBeGreaterThan(0.5);
    expect(toRate(2, 10, 1)).toBeGreaterThan(toRate(1, 10, 1));
    expect(toRate(3, 10, 1)).toBeLessThan(toRate(2, 10, 1));
  });
});

describe('divergence', () => {
  const falling = Array.from({ length: 100 }, (_, index) => 8 * 0.95 ** index);

  it('is not found in a run that learns, or has learnt already', () => {
    expect(findDivergence(falling)).toBeNull();
    expect(findDivergence(Array.from({ length: 100 }, (_, index) => 0.01 + (index % 7) * 0.01))).toBeNull();
    expect(findDivergence([])).toBeNull();
  });

  it('is found at once in a loss that is no number', () => {
    expect(findDivergence([8, 9, Number.NaN])).toBe('The loss is not finite at step 3.');
    expect(findDivergence([Number.POSITIVE_INFINITY])).toContain('step 1');
  });

  it('is found in a loss that stays above its start, after 40 steps', () => {
    const rising = Array.from({ length: 39 }, (_, index) => 5 + index);
    expect(findDivergence(rising)).toBeNull();
    expect(findDivergence([...rising, 50])).toContain('rose above its start');
  });

  it('is found in a loss that was low and is high again', () => {
    expect(findDivergence([...falling, ...Array.from({ length: 20 }, () => 6)])).toMatch(/rose from 0\.\d+ to 6\.000/);
  });
});
