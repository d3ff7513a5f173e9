// A fixed number of slots that callers share fairly. The queue is bounded, and the time to wait is estimated.
import { throwIfAborted, toAbortError } from './abort.ts';
import { FairQueue } from './fairQueue.ts';
import { QueueBounds } from './queueBounds.ts';

/** The right to use one slot. */
export interface SlotLease {
  /** Marks the answer as complete. Only complete answers count when the time to wait is estimated. */
  complete(): void;
  /** Frees the slot for the next caller. */
  end(): void;
}

interface Waiter {
  readonly begin: () => void;
}

export interface PoolOptions {
  /** Slots that one caller may use at a time; missing: all. */
  readonly perCaller?: number;
  /** Pools may share bounds. Then a caller's places in all these pools count together. */
  readonly bounds?: QueueBounds;
  /** A sentence about how many requests are answered at a time, for the message of a refusal. */
  readonly pace?: string;
  /** Milliseconds from any fixed point. */
  readonly now?: () => number;
}

/** The time to wait is estimated from this many of the latest complete answers. */
const MAX_LATEST = 32;

interface Running {
  readonly caller: string;
  /** When it got its slot. */
  readonly beganAt: number;
}

const toMean = (times: readonly number[]): number =>
  times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);

export class SlotPool {
  readonly #queue = new FairQueue<Waiter>();
  readonly #bounds: QueueBounds;
  readonly #pace: string;
  readonly #now: () => number;
  readonly #perCaller: number;
  readonly #running = new Set<Running>();
  /** Milliseconds that each of the latest complete answers took. */
  readonly #latest: number[] = [];

  constructor(
    readonly size: number,
    { bounds = new QueueBounds(), pace = '', now = () => performance.now(), perCaller = size }: PoolOptions = {},
  ) {
    this.#bounds = bounds;
    this.#pace = pace;
    this.#now = now;
    this.#perCaller = perCaller;
  }

  get freeCount(): number {
    return this.size - this.#running.size;
  }

  get waitingCount(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a slot. Leaves the queue at once when `signal` is aborted (AbortError). Throws EngineError 429 if the
   * queue is full.
   */
  async enter(caller: string, signal: AbortSignal): Promise<SlotLease> {
    throwIfAborted(signal);
    return this.#mayBegin(caller) ? this.#begin(caller) : await this.#wait(caller, signal);
  }

  #mayBegin(caller: string): boolean {
    const own = [...this.#running].filter((each) => each.caller === caller).length;
    return this.#running.size < this.size && own < this.#perCaller;
  }

  /** Seconds until a new request of `caller` would begin, estimated from the latest and the running answers. */
  secondsUntilTurn(caller: string): number {
    const now = this.#now();
    // Running answers take at least as long as they have taken so far.
    const running = [...this.#running].map(({ beganAt }) => now - beganAt);
    const mean = Math.max(toMean(this.#latest), toMean(running));
    const rounds = Math.max(
      (this.#queue.countBefore(caller) + 1) / this.size,
      (this.#queue.countOf(caller) + 1) / this.#perCaller,
    );
    return Math.max(1, Math.ceil((mean * rounds) / 1000));
  }

  #wait(caller: string, signal: AbortSignal): Promise<SlotLease> {
    const leave = this.#bounds.enter(caller, () => ({ seconds: this.secondsUntilTurn(caller), pace: this.#pace }));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.remove(caller, waiter);
        leave();
        reject(toAbortError(signal));
      };
      const waiter: Waiter = {
        begin: () => {
          signal.removeEventListener('abort', onAbort);
          leave();
          resolve(this.#begin(caller));
        },
      };
      this.#queue.add(caller, waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #begin(caller: string): SlotLease {
    const own = { caller, beganAt: this.#now() };
    let isComplete = false;
    this.#running.add(own);
    return {
      complete: () => {
        isComplete = true;
      },
      end: () => {
        if (!this.#running.delete(own)) return;
        if (isComplete) this.#latest.push(this.#now() - own.beganAt);
        if (this.#latest.length > MAX_LATEST) this.#latest.shift();
        // The next waiter gets the slot in the same step, so that no new request can take it.
        this.#queue.next((other) => this.#mayBegin(other))?.begin();
      },
    };
  }
}
