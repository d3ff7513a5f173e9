// Pauses a run while the service asks to wait or does not answer: as long as the service says, else for a time that
// doubles with every wait in vain. Callers pass timer and randomness.

/** `busy`: too many requests. `away`: no answer, or only one from a gateway in front of the service. */
export type HoldCause = 'busy' | 'away';

export interface Hold {
  readonly cause: HoldCause;
  readonly ms: number;
  /** The service said how long to wait. */
  readonly isFromService: boolean;
}

export interface HoldDeps {
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1, excluding 1. */
  readonly random: () => number;
  /** Called with each hold, and with null when the last one is over. */
  readonly onHold: (hold: Hold | null) => void;
  /** Ends every hold and prevents new ones. */
  readonly signal: AbortSignal;
}

export interface GridHold {
  /** Starts a hold, or extends the current one. Resolves when no hold is left. */
  readonly start: (cause: HoldCause, requestedMs: number | null) => Promise<void>;
  readonly isOn: () => boolean;
  /** Resolves when no hold is left. */
  readonly waitUntilOver: () => Promise<void>;
  /** The service has answered: the next hold is short again. */
  readonly reset: () => void;
}

const FIRST_MS = 2_000;
const MAX_MS = 60_000;
/** Adds up to this share to the time that the service asked for, so that clients don't return all at once. */
const REQUESTED_JITTER = 0.1;

/** Wait before the next try, if the service doesn't say: doubles with each of `tries`, plus or minus a quarter. */
export const toBackOff = (firstMs: number, tries: number, random: number): number =>
  Math.round(Math.min(MAX_MS, firstMs * 2 ** tries) * (0.75 + 0.5 * random));

export function openGridHold({ wait, random, onHold, signal }: HoldDeps): GridHold {
  let holds = 0;
  /** The current hold, including those that extend it. */
  let current: Promise<void> | null = null;

  let lastStarted = 0;

  async function waitFor(hold: Hold, before: Promise<void> | null): Promise<void> {
    const startNumber = (lastStarted += 1);
    onHold(hold);
    await Promise.all([before, wait(hold.ms, signal)]);
    if (lastStarted !== startNumber) return;
    current = null;
    onHold(null);
  }

  async function waitUntilOver(): Promise<void> {
    for (let next = current; next !== null; next = current) await next;
  }

  return {
    start(cause, requestedMs) {
      if (signal.aborted) return Promise.resolve();
      const ms =
        requestedMs === null
          ? toBackOff(FIRST_MS, holds, random())
          : Math.round(requestedMs * (1 + REQUESTED_JITTER * random()));
      // Requests that were pending together are refused together: they share one hold and its duration.
      if (current !== null && requestedMs === null) return waitUntilOver();
      if (current === null) holds += 1;
      current = waitFor({ cause, ms, isFromService: requestedMs !== null }, current);
      return waitUntilOver();
    },
    isOn: () => current !== null,
    waitUntilOver,
    reset: () => void (holds = 0),
  };
}
