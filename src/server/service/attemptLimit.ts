// A bucket of attempts that refills with time: how fast tokens may be guessed, per process.

export interface AttemptLimit {
  /** Milliseconds to wait before the next attempt; 0 when one may be made now. */
  waitFor(now: number): number;
  /** Counts one failed attempt. */
  fail(now: number): void;
}

/** At most `burst` failures at once, then one per `refillMs`. */
export function openAttemptLimit(burst: number, refillMs: number): AttemptLimit {
  let left = burst;
  let filledAt = 0;
  const refill = (now: number): void => {
    left = Math.min(burst, left + Math.max(0, now - filledAt) / refillMs);
    filledAt = now;
  };
  return {
    waitFor(now) {
      refill(now);
      return left >= 1 ? 0 : Math.ceil((1 - left) * refillMs);
    },
    fail(now) {
      refill(now);
      left = Math.max(0, left - 1);
    },
  };
}
