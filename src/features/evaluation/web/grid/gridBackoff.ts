// Pauses a run while the service asks to wait or does not answer: as long as the service says, else for a time that
// doubles with every wait in vain. Callers pass timer and randomness.
import { toHoldMs } from '#features/evaluation/shared/backOff.ts';

/** `busy`: too many requests. `away`: no answer, or only one from a gateway in front of the service. */
export type HoldCause = 'busy' | 'away';

export interface Hold {
  readonly cause: HoldCause;
  readonly ms: number;
  /** The service said how long to wait. */
  readonly isFromService: boolean;
  /** What the service said, or why there is no answer. */
  readonly message: string;
  /** The model that does not answer although others do; null: nothing is answered. */
  readonly model: string | null;
}

/** Why a cell was not answered now. `waitMs` null: nobody said how long to wait. */
export interface Postponement {
  readonly cause: HoldCause;
  readonly message: string;
  readonly waitMs: number | null;
}

export type OnHold = (hold: Hold | null, model: string | null) => void;

/** A hold with its end in Unix milliseconds. */
export type HoldNotice = Omit<Hold, 'ms'> & { readonly until: number };

/** Keeps one notice per model, and one for the whole run. Each call returns the one that ends last; null: none. */
export function openHoldNotices(now: () => number): (...change: Parameters<OnHold>) => HoldNotice | null {
  const notices = new Map<string | null, HoldNotice>();
  return (hold, model) => {
    if (hold === null) notices.delete(model);
    else {
      const { ms, ...reason } = hold;
      const until = now() + ms;
      if (until > (notices.get(model)?.until ?? 0)) notices.set(model, { ...reason, until });
    }
    return [...notices.values()].toSorted((a, b) => b.until - a.until)[0] ?? null;
  };
}

export interface HoldDeps {
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1, excluding 1. */
  readonly random: () => number;
  /**
   * Called with each hold, and with null when the last one is over. `model`: the model that it concerns; null: the
   * whole run.
   */
  readonly onHold: OnHold;
  /** Ends every hold and prevents new ones. */
  readonly signal: AbortSignal;
}

export interface GridHold {
  /** Starts a hold, or extends the current one. Resolves when no hold is left. */
  readonly start: (reason: Postponement) => Promise<void>;
  readonly isOn: () => boolean;
  /** Resolves when no hold is left. */
  readonly waitUntilOver: () => Promise<void>;
  /** The service has answered: the next hold is short again. */
  readonly reset: () => void;
}

export function openGridHold({ wait, random, onHold, signal }: HoldDeps): GridHold {
  let holds = 0;
  /** The current hold, including those that extend it. */
  let current: Promise<void> | null = null;

  let lastStarted = 0;

  async function waitFor(hold: Hold, before: Promise<void> | null): Promise<void> {
    const startNumber = (lastStarted += 1);
    onHold(hold, null);
    await Promise.all([before, wait(hold.ms, signal)]);
    if (lastStarted !== startNumber) return;
    current = null;
    onHold(null, null);
  }

  async function waitUntilOver(): Promise<void> {
    for (let next = current; next !== null; next = current) await next;
  }

  return {
    start({ cause, message, waitMs: requestedMs }) {
      if (signal.aborted) return Promise.resolve();
      const ms = toHoldMs(requestedMs, holds, random());
      // Requests that were pending together are refused together: they share one hold and its duration.
      if (current !== null && requestedMs === null) return waitUntilOver();
      if (current === null) holds += 1;
      current = waitFor({ cause, ms, isFromService: requestedMs !== null, message, model: null }, current);
      return waitUntilOver();
    },
    isOn: () => current !== null,
    waitUntilOver,
    reset: () => void (holds = 0),
  };
}
