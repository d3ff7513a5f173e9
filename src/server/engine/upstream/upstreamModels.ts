// The list of models of an upstream engine: the last one is kept while the engine can't be reached, and is asked for
// again in the background.
import type { ModelEntry } from '#shared/contract/completion.ts';
import { withAbort } from '#server/engine/abort.ts';
import { EngineError } from '#server/engine/engine.ts';

export interface UpstreamModelsOptions {
  /** Asks for the list. Rejects when there is no answer. */
  readonly fetch: (signal: AbortSignal) => Promise<readonly ModelEntry[]>;
  /** Called once when the engine becomes unreachable, and once when it is back. */
  readonly onChange: (failure: Error | null) => void;
  readonly clock?: ModelsClock;
}

/** The clock, so that a test can move it. */
export interface ModelsClock {
  /** Calls `run` once after `ms`; the returned function stops that. */
  later(run: () => void, ms: number): () => void;
}

/** One question to the engine. None of its promises rejects; those who come later wait no longer than the first. */
interface Attempt {
  readonly over: Promise<void>;
  readonly orSoon: Promise<void>;
  readonly orLater: Promise<void>;
}

const CLOCK: ModelsClock = {
  later(run, ms) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** An engine that is well answers in milliseconds; nobody waits longer for a fresher list than the known one. */
const FRESH_WAIT_MS = 250;
/** While no list is known. */
const FIRST_WAIT_MS = 1_000;
/** From the second failure on the wait doubles. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export class UpstreamModels {
  readonly #options: UpstreamModelsOptions;
  readonly #clock: ModelsClock;
  readonly #closing = new AbortController();
  #known: readonly ModelEntry[] | null = null;
  /** Why the last attempt failed; null when it did not. */
  #failure: Error | null = null;
  #pending: Attempt | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | null = null;

  constructor(options: UpstreamModelsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? CLOCK;
  }

  /** The list as fresh as it can be had without waiting for long; rejects when none was ever had. */
  async list(): Promise<readonly ModelEntry[]> {
    // What can't be reached is asked in the background only.
    if (this.#failure === null) await (this.#known === null ? this.#refresh().orLater : this.#refresh().orSoon);
    if (this.#known !== null) return this.#known;
    throw this.#failure ?? this.#notYet();
  }

  /** Asks the engine now, for a second at most. Rejects when the last attempt failed, whatever list is kept. */
  async check(): Promise<void> {
    if (this.#failure === null) await this.#refresh().orLater;
    if (this.#failure !== null) throw this.#failure;
    if (this.#known === null) throw this.#notYet();
  }

  has(model: string): boolean {
    return this.#known?.some(({ id }) => id === model) ?? false;
  }

  /** Asks whether there is such a model now. Rejects when the engine does not say, or `signal` is aborted. */
  async find(model: string, signal: AbortSignal): Promise<boolean> {
    if (this.has(model)) return true;
    const isReachable = this.#failure === null;
    const { over, orLater } = this.#refresh();
    await withAbort(isReachable ? over : orLater, signal);
    if (this.has(model)) return true;
    if (this.#failure !== null) throw this.#failure;
    return false;
  }

  close(reason: Error): void {
    this.#cancelRetry?.();
    this.#closing.abort(reason);
  }

  #notYet(): EngineError {
    const message = 'The engine has not sent its list of models yet. Ask again in a moment.';
    return new EngineError(message, 503, 'engine_slow', null, '1');
  }

  /** One attempt at a time. */
  #refresh(): Attempt {
    this.#pending ??= this.#open();
    return this.#pending;
  }

  #open(): Attempt {
    const cancels: (() => void)[] = [];
    const after = (ms: number): Promise<void> =>
      new Promise((resolve) => void cancels.push(this.#clock.later(resolve, ms)));
    const over = this.#attempt().finally(() => {
      this.#pending = null;
      for (const cancel of cancels) cancel();
    });
    return {
      over,
      orSoon: Promise.race([over, after(FRESH_WAIT_MS)]),
      orLater: Promise.race([over, after(FIRST_WAIT_MS)]),
    };
  }

  async #attempt(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    try {
      this.#known = await this.#options.fetch(this.#closing.signal);
      this.#retryMs = FIRST_RETRY_MS;
      this.#tell(null);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (this.#closing.signal.aborted) {
        this.#failure = failure;
        return;
      }
      this.#tell(failure);
      this.#cancelRetry = this.#clock.later(() => void this.#refresh(), this.#retryMs);
      this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
    }
  }

  #tell(failure: Error | null): void {
    const hasChanged = (this.#failure === null) !== (failure === null);
    this.#failure = failure;
    if (hasChanged) this.#options.onChange(failure);
  }
}
