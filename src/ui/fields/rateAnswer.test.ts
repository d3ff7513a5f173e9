import { expect, it } from 'vitest';
import { readRateAnswer, toRatePreview } from './rateAnswer.ts';

it('shows the rate that an answer gives the first candidate', () => {
  expect(toRatePreview(0.02, readRateAnswer('factor', '2e-5').choice)).toBe('→ 4e-7 for candidate 1');
  expect(toRatePreview(0.0002, readRateAnswer('rate', '').choice)).toBe('→ 0.0002 for candidate 1');
  expect(toRatePreview(0.02, readRateAnswer('unknown', '').choice)).toBe('');
  expect(toRatePreview(null, { means: 'rate' })).toBe('');
});

it.each([
  ['', 'above 0'],
  ['0', 'above 0'],
  ['-1', 'above 0'],
  ['2e-5 per step', 'was not used'],
])('says why the base rate %j is not taken', (base, why) => {
  expect(readRateAnswer('factor', base)).toEqual({ choice: null, problem: expect.stringContaining(why) as string });
});
