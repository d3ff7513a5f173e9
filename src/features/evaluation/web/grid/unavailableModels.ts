// Models that do not answer while others do, such as one that is still loading. Their cells wait apart: one of them is
// asked again after a while, and an answer frees the others. A wait that the service asked for is always kept. Callers pass timer and randomness.
import { toHoldMs } from '#features/evaluation/shared/backOff.ts';
import type { HoldDeps, Postponement } from './gridBackoff.ts';

interface AwayModel {
  /** Waits in vain so far. */
  tries: number;
  /** Waits that are not over. */
  waits: number;
  /** Those of them that the service asked for. */
  requested: number;
  /** Cells that wait, in order. */
  readonly cells: number[];
}

export interface AwayModels {
  readonly isAway: (model: string) => boolean;
  readonly isEmpty: () => boolean;
  /** Adds a cell of a model that is away; false: the model is not away. */
  readonly addIfAway: (model: string, at: number) => boolean;
  /** Puts a cell off and starts the wait of its model. */
  readonly defer: (model: string, at: number, reason: Postponement) => void;
  /**
   * The service has answered for this model: its cells can be asked for. While the service asked to wait, nothing
   * changes: the answer was on its way before.
   */
  readonly onAnswer: (model: string) => void;
  /** A cell that can be asked for now; null: none. */
  readonly takeReady: () => number | null;
  /** Resolves at the next change, or when waiting has ended. */
  readonly change: () => Promise<void>;
}

export function openAwayModels({ wait, random, onHold, signal }: HoldDeps): AwayModels {
  const models = new Map<string, AwayModel>();
  const ready: number[] = [];
  let listeners: (() => void)[] = [];

  function announce(): void {
    const called = listeners;
    listeners = [];
    for (const listener of called) listener();
  }
  signal.addEventListener('abort', announce, { once: true });

  async function waitFor(away: AwayModel, model: string, { cause, message, waitMs }: Postponement): Promise<void> {
    const ms = toHoldMs(waitMs, away.tries, random());
    const requested = waitMs === null ? 0 : 1;
    if (away.waits === 0) away.tries += 1;
    away.waits += 1;
    away.requested += requested;
    onHold({ cause, ms, isFromService: waitMs !== null, message, model }, model);
    await wait(ms, signal);
    away.waits -= 1;
    away.requested -= requested;
    // The longest wait counts. An answer may have ended them all.
    if (away.waits > 0 || models.get(model) !== away) return;
    onHold(null, model);
    const first = away.cells.shift();
    if (first !== undefined) ready.push(first);
    announce();
  }

  return {
    isAway: (model) => models.has(model),
    isEmpty: () => models.size === 0 && ready.length === 0,
    addIfAway(model, at) {
      const away = models.get(model);
      away?.cells.push(at);
      return away !== undefined;
    },
    defer(model, at, reason) {
      const away = models.get(model) ?? { tries: 0, waits: 0, requested: 0, cells: [] };
      models.set(model, away);
      away.cells.unshift(at);
      // Cells that were on their way together share one wait, unless the service asks for another.
      if (away.waits === 0 || reason.waitMs !== null) void waitFor(away, model, reason);
    },
    onAnswer(model) {
      const away = models.get(model);
      if (!away || away.requested > 0) return;
      models.delete(model);
      if (away.waits > 0) onHold(null, model);
      ready.push(...away.cells.splice(0));
      announce();
    },
    takeReady: () => ready.shift() ?? null,
    change: () => (signal.aborted ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve))),
  };
}
