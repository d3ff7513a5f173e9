import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAttemptLimit } from './attemptLimit.ts';

describe('openAttemptLimit', () => {
  it('lets a burst through, then one per refill', () => {
    const limit = openAttemptLimit(3, 1_000);
    for (let count = 0; count < 3; count += 1) {
      expect(limit.waitFor(10_000)).toBe(0);
      limit.fail(10_000);
    }
    expect(limit.waitFor(10_000)).toBe(1_000);
    expect(limit.waitFor(10_400)).toBe(600);
    expect(limit.waitFor(11_000)).toBe(0);
    limit.fail(11_000);
    expect(limit.waitFor(11_000)).toBe(1_000);
  });

  it('fills up no further than the burst', () => {
    const limit = openAttemptLimit(2, 100);
    limit.waitFor(1_000_000);
    limit.fail(1_000_000);
    limit.fail(1_000_000);
    expect(limit.waitFor(1_000_000)).toBe(100);
  });

  it('a success costs nothing', () => {
    const limit = openAttemptLimit(1, 60_000);
    for (let count = 0; count < 50; count += 1) expect(limit.waitFor(5)).toBe(0);
  });

  it('a clock that is set back gives no attempts and takes none', () => {
    const limit = openAttemptLimit(1, 1_000);
    limit.fail(50_000);
    expect(limit.waitFor(10_000)).toBe(1_000);
    expect(limit.waitFor(11_000)).toBe(0);
  });

  it('never allows more failures in a span than burst and refills', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }),
        (burst, steps) => {
          const limit = openAttemptLimit(burst, 100);
          let now = 1_000_000;
          const start = now;
          let failures = 0;
          for (const step of steps) {
            now += step;
            if (limit.waitFor(now) > 0) continue;
            limit.fail(now);
            failures += 1;
          }
          expect(failures).toBeLessThanOrEqual(burst + (now - start) / 100 + 1e-6);
        },
      ),
    );
  });
});
