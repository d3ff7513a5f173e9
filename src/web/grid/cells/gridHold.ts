// Holds a run back while the service asks to wait or does not answer: for as long as it asks, else for a time that
// doubles with every hold that nothing came of. Waiting and chance come in.

/** `busy`: too many requests. `away`: nobody answers, or only what stands in front of the service. */
export type HoldCause = 'busy' | 'away';

export interface Hold {
  readonly cause: HoldCause;
  readonly ms: number;
  /** The service said how long. */
  readonly isAsked: boolean;
}

export interface HoldDeps {
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1, below 1. */
  readonly random: () => number;
  /** Told of each hold, and null when the last one is over. */
  readonly onHold: (hold: Hold | null) => void;
  /** Ends every hold, for good. */
  readonly signal: AbortSignal;
}

export interface GridHold {
  /** Holds back; while it already does, for the longer of both times. Resolves when nothing holds back any more. */
  readonly begin: (cause: HoldCause, askedMs: number | null) => Promise<void>;
  readonly isOn: () => boolean;
  /** Resolves when nothing holds back. */
  readonly passed: () => Promise<void>;
  /** The service has answered: the next hold is short again. */
  readonly reset: () => void;
}

const FIRST_MS = 2_000;
const MOST_MS = 60_000;
/** Never less than the service asked for; a little more, so that not all who wait come back at once. */
const ASKED_JITTER = 0.1;

/** How long the try after `tries` others waits when nobody says: doubled each time, give or take a quarter. */
export const toBackOff = (firstMs: number, tries: number, random: number): number =>
  Math.round(Math.min(MOST_MS, firstMs * 2 ** tries) * (0.75 + 0.5 * random));

export function openGridHold({ wait, random, onHold, signal }: HoldDeps): GridHold {
  let holds = 0;
  /** What holds back now, and what is to be waited for after it. */
  let current: Promise<void> | null = null;

  let begun = 0;

  async function waitFor(hold: Hold, before: Promise<void> | null): Promise<void> {
    const mine = (begun += 1);
    onHold(hold);
    await Promise.all([before, wait(hold.ms, signal)]);
    if (begun !== mine) return;
    current = null;
    onHold(null);
  }

  async function passed(): Promise<void> {
    for (let next = current; next !== null; next = current) await next;
  }

  return {
    begin(cause, askedMs) {
      if (signal.aborted) return Promise.resolve();
      const ms =
        askedMs === null ? toBackOff(FIRST_MS, holds, random()) : Math.round(askedMs * (1 + ASKED_JITTER * random()));
      // Requests that were on their way together are turned away together: that is one hold, whose own time is enough.
      if (current !== null && askedMs === null) return passed();
      if (current === null) holds += 1;
      current = waitFor({ cause, ms, isAsked: askedMs !== null }, current);
      return passed();
    },
    isOn: () => current !== null,
    passed,
    reset: () => void (holds = 0),
  };
}
