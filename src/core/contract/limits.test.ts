// SPEC 8 as numbers. They are written out here again, so that a slip in the table is seen.
import { expect, it } from 'vitest';
import { MAX_EVENT_CHARACTERS, MAX_TOKENS_LIMITS, MESSAGE_LIMITS, REQUEST_LIMITS, SEED_LIMITS } from './limits.ts';

it('bounds what SPEC leaves open, without refusing what SPEC allows', () => {
  expect(MESSAGE_LIMITS.min).toBe(1);
  expect(MAX_TOKENS_LIMITS.min).toBe(1);
  expect(SEED_LIMITS).toEqual({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 });
  expect(MAX_EVENT_CHARACTERS).toBeGreaterThanOrEqual(8 * 1024 * 1024);
  for (const limit of Object.values(REQUEST_LIMITS)) expect(limit).toBeGreaterThan(0);
});
