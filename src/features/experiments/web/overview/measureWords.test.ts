import { expect, it } from 'vitest';
import { toMeasure } from '#features/experiments/shared/measures.ts';
import { toInterval } from './measureWords.ts';

it('a share of rows has an interval, nothing else has', () => {
  const measure = toMeasure('exact_match');
  expect(toInterval(measure, 0.995, 200)).toEqual({ low: '97.2', high: '99.9' });
  expect(toInterval(measure, 0.995, null)).toBe(null);
  expect(toInterval(measure, 99.5, 200)).toBe(null);
  expect(toInterval(toMeasure('validation_loss'), 0.07, 200)).toBe(null);
});
