// SPEC 4.3 and 8 as numbers. They are written out here again, so that a slip in the table is seen.
import { expect, it } from 'vitest';
import {
  MAX_EVENT_CHARACTERS,
  MAX_TOKENS_LIMITS,
  MESSAGE_LIMITS,
  REQUEST_LIMITS,
  SAMPLING_LIMITS,
  SAMPLING_NAMES,
  SEED_LIMITS,
} from './limits.ts';

it.each([
  ['temperature', 0, 2, 0.7],
  ['top_p', 0, 1, 1],
  ['frequency_penalty', -2, 2, 0],
  ['presence_penalty', -2, 2, 0],
] as const)('%s goes from %d to %d and is %d when not sent', (name, min, max, fallback) => {
  expect(SAMPLING_LIMITS[name]).toMatchObject({ min, max, fallback });
});

it('lists every sampling parameter once, with a label and a step that reaches both ends', () => {
  expect(SAMPLING_NAMES).toEqual(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']);
  expect(new Set(SAMPLING_NAMES.map((name) => SAMPLING_LIMITS[name].label)).size).toBe(4);
  for (const name of SAMPLING_NAMES) {
    const { min, max, step, fallback } = SAMPLING_LIMITS[name];
    expect(Math.round((max - min) / step) * step).toBeCloseTo(max - min, 9);
    expect(fallback).toBeGreaterThanOrEqual(min);
    expect(fallback).toBeLessThanOrEqual(max);
  }
});

it('bounds what SPEC leaves open, without refusing what SPEC allows', () => {
  expect(MESSAGE_LIMITS.min).toBe(1);
  expect(MAX_TOKENS_LIMITS.min).toBe(1);
  expect(SEED_LIMITS).toEqual({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 });
  expect(MAX_EVENT_CHARACTERS).toBeGreaterThanOrEqual(8 * 1024 * 1024);
  for (const limit of Object.values(REQUEST_LIMITS)) expect(limit).toBeGreaterThan(0);
});
