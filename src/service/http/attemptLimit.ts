// Limits how fast tokens may be guessed, per process: a bucket of attempts that refills over time.

export interface AttemptLimit {
  /** Milliseconds to wait before the next attempt; 0 when one may be made now. */
  waitFor(now: number): number;
  /** Counts one failed attempt. */
  fail(now: number): void;
}

/** At most `burst` failures at once, then one per `refillMs`. */
export function openAttemptLimit(burst: number, refillMs: number): AttemptLimit {
  let remaining = burst;
  let filledAt = 0;
  const refill = (now: number): void => {
    remaining = Math.min(burst, remaining + Math.max(0, now - filledAt) / refillMs);
    filledAt = now;
  };
  return {
    waitFor(now) {
      refill(now);
      return remaining >= 1 ? 0 : Math.ceil((1 - remaining) * refillMs);
    },
    fail(now) {
      refill(now);
      remaining = Math.max(0, remaining - 1);
    },
  };
}
