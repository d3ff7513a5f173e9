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

  it('rises over as many steps as are chosen, or not at all', () => {
    const toRates = (warmup_steps: number) =>
      Array.from({ length: 100 }, (_, at) => toRate(at + 1, 100, 1, { warmup_steps, scheduler: 'constant' }));
    expect(toRates(4).slice(0, 5)).toEqual([0.25, 0.5, 0.75, 1, 1]);
    expect(new Set(toRates(0))).toEqual(new Set([1]));
  });

  it.each([
    ['constant', 1, 1],
    ['linear', 0.5, 0.01],
    ['cosine', 0.55, 0.1],
  ] as const)('falls by the scheduler %s', (scheduler, middle, last) => {
    const rateOf = (step: number): number => toRate(step, 100, 1, { scheduler, warmup_steps: 0 });
    expect(rateOf(1)).toBe(1);
    expect(rateOf(51)).toBeCloseTo(middle, 3);
    expect(rateOf(100)).toBeCloseTo(last, 2);
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
