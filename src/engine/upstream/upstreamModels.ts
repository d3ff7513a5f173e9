// The list of models of an upstream engine. While the engine can't be reached, the last list stays valid and is
// requested again in the background.
import type { ModelEntry } from '#core/contract/completion.ts';
import { withAbort } from '#engine/abort.ts';
import { EngineError } from '#engine/engine.ts';

export interface UpstreamModelsOptions {
  /** Requests the list. Rejects if there is no answer. */
  readonly fetch: (signal: AbortSignal) => Promise<readonly ModelEntry[]>;
  /** Called when it fails, when it fails in another way, and when it is back. */
  readonly onChange: (failure: Error | null) => void;
  readonly clock?: ModelsClock;
}

/** A clock that tests can move. */
export interface ModelsClock {
  /** Calls `run` once after `ms`. The returned function cancels that. */
  later(run: () => void, ms: number): () => void;
}

/** One request to the engine. No promise rejects. The waits begin with the attempt, so later callers wait less. */
interface Attempt {
  readonly done: Promise<void>;
  /** Done, or `FRESH_WAIT_MS` are over. */
  readonly doneOrFreshWait: Promise<void>;
  /** Done, or `FIRST_WAIT_MS` are over. */
  readonly doneOrFirstWait: Promise<void>;
}

const CLOCK: ModelsClock = {
  later(run, ms) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** How long callers wait for a fresher list than the known one. A healthy engine answers in milliseconds. */
const FRESH_WAIT_MS = 250;
/** How long callers wait while no list is known. */
const FIRST_WAIT_MS = 1_000;
/** The time to the next attempt doubles from the second failure on. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export class UpstreamModels {
  readonly #options: UpstreamModelsOptions;
  readonly #clock: ModelsClock;
  readonly #closing = new AbortController();
  #known: readonly ModelEntry[] | null = null;
  /** Why the last attempt failed; null if it succeeded. */
  #failure: Error | null = null;
  #pending: Attempt | null = null;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | null = null;

  constructor(options: UpstreamModelsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? CLOCK;
  }

  /** The freshest list that a short wait can give. Rejects if there was never a list. */
  async list(): Promise<readonly ModelEntry[]> {
    // An engine that can't be reached is asked in the background only.
    if (this.#failure === null)
      await (this.#known === null ? this.#refresh().doneOrFirstWait : this.#refresh().doneOrFreshWait);
    if (this.#known !== null) return this.#known;
    throw this.#failure ?? this.#toNoListError();
  }

  /** Asks the engine now and waits at most a second. Rejects if the last attempt failed, even if a list is known. */
  async check(): Promise<void> {
    if (this.#failure === null) await this.#refresh().doneOrFirstWait;
    if (this.#failure !== null) throw this.#failure;
    if (this.#known === null) throw this.#toNoListError();
  }

  /** The last list, without asking; null: there was never one. */
  get known(): readonly ModelEntry[] | null {
    return this.#known;
  }

  #find(model: string): ModelEntry | null {
    return this.#known?.find(({ id }) => id === model) ?? null;
  }

  /** Asks the engine for a model that is not known. Rejects if the engine does not answer or `signal` is aborted. */
  async find(model: string, signal: AbortSignal): Promise<ModelEntry | null> {
    const known = this.#find(model);
    if (known) return known;
    const isReachable = this.#failure === null;
    const { done, doneOrFirstWait } = this.#refresh();
    await withAbort(isReachable ? done : doneOrFirstWait, signal);
    const found = this.#find(model);
    if (found === null && this.#failure !== null) throw this.#failure;
    return found;
  }

  close(reason: Error): void {
    this.#cancelRetry?.();
    this.#closing.abort(reason);
  }

  #toNoListError(): EngineError {
    const message = 'The engine has not sent its list of models yet. Ask again in a moment.';
    return new EngineError(message, 503, 'engine_slow', null, '1');
  }

  /** One attempt at a time. */
  #refresh(): Attempt {
    this.#pending ??= this.#open();
    return this.#pending;
  }

  #open(): Attempt {
    const cancelWaits: (() => void)[] = [];
    const after = (ms: number): Promise<void> =>
      new Promise((resolve) => void cancelWaits.push(this.#clock.later(resolve, ms)));
    const done = this.#attempt().finally(() => {
      this.#pending = null;
      for (const cancel of cancelWaits) cancel();
    });
    return {
      done,
      doneOrFreshWait: Promise.race([done, after(FRESH_WAIT_MS)]),
      doneOrFirstWait: Promise.race([done, after(FIRST_WAIT_MS)]),
    };
  }

  async #attempt(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    try {
      this.#known = await this.#options.fetch(this.#closing.signal);
      this.#retryMs = FIRST_RETRY_MS;
      this.#setFailure(null);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (this.#closing.signal.aborted) {
        this.#failure = failure;
        return;
      }
      this.#setFailure(failure);
      this.#cancelRetry = this.#clock.later(() => void this.#refresh(), this.#retryMs);
      this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
    }
  }

  #setFailure(failure: Error | null): void {
    const hasChanged = this.#failure?.message !== failure?.message;
    this.#failure = failure;
    if (hasChanged) this.#options.onChange(failure);
  }
}
