// A fixed number of slots, given to callers in turn. What waits is bounded, and knows how long it will wait.
import { throwIfAborted, toAbortError } from './abort.ts';
import { FairQueue } from './fairQueue.ts';
import { QueueBounds } from './queueBounds.ts';

/** The right to use one slot. */
export interface Turn<T> {
  /** Chooses the best free slot by `score` (highest first). Once a turn. */
  pick(score?: (slot: T) => number): T;
  /** Says that the answer is complete: only such turns tell how long the next ones may take. */
  complete(): void;
  /** Gives the slot and the turn back. */
  end(): void;
}

interface Waiter<T> {
  readonly begin: (turn: Turn<T>) => void;
}

export interface PoolOptions {
  /** May be shared with other pools: a caller's places count in all of them. */
  readonly bounds?: QueueBounds;
  /** What is answered at a time, for the message of a refusal. */
  readonly pace?: string;
  /** Milliseconds from any fixed point. */
  readonly now?: () => number;
}

/** So many of the latest complete turns tell how long the next ones may take. */
const REMEMBERED = 32;

const toMean = (times: readonly number[]): number =>
  times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);

export class SlotPool<T> {
  readonly size: number;
  readonly #free: T[];
  readonly #queue = new FairQueue<Waiter<T>>();
  readonly #bounds: QueueBounds;
  readonly #pace: string;
  readonly #now: () => number;
  /** When each running turn began. */
  readonly #running = new Map<symbol, number>();
  /** Milliseconds that the latest complete turns took. */
  readonly #latest: number[] = [];

  constructor(
    slots: readonly T[],
    { bounds = new QueueBounds(), pace = '', now = () => performance.now() }: PoolOptions = {},
  ) {
    this.#free = [...slots];
    this.size = slots.length;
    this.#bounds = bounds;
    this.#pace = pace;
    this.#now = now;
  }

  get freeCount(): number {
    return this.#free.length;
  }

  get waitingCount(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a turn. Leaves the queue at once when `signal` is aborted (AbortError); throws EngineError 429 when no
   * more may wait.
   */
  async enter(caller: string, signal: AbortSignal): Promise<Turn<T>> {
    throwIfAborted(signal);
    return this.#running.size < this.size ? this.#begin() : await this.#wait(caller, signal);
  }

  /** Seconds until a request that `caller` sent now would begin, judged by the latest answers and the running ones. */
  secondsUntilTurn(caller: string): number {
    const now = this.#now();
    // Running answers take at least as long as they have taken so far.
    const running = [...this.#running.values()].map((beganAt) => now - beganAt);
    const mean = Math.max(toMean(this.#latest), toMean(running));
    return Math.max(1, Math.ceil((mean * (this.#queue.countBefore(caller) + 1)) / this.size / 1000));
  }

  #wait(caller: string, signal: AbortSignal): Promise<Turn<T>> {
    const leave = this.#bounds.enter(caller, () => ({ seconds: this.secondsUntilTurn(caller), pace: this.#pace }));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.remove(caller, waiter);
        leave();
        reject(toAbortError(signal));
      };
      const waiter: Waiter<T> = {
        begin(turn) {
          signal.removeEventListener('abort', onAbort);
          leave();
          resolve(turn);
        },
      };
      this.#queue.add(caller, waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #begin(): Turn<T> {
    const key = Symbol('turn');
    const beganAt = this.#now();
    let slot: T | undefined;
    let isComplete = false;
    this.#running.set(key, beganAt);
    return {
      pick: (score = () => 0) => {
        slot = this.#takeBest(score);
        return slot;
      },
      complete: () => {
        isComplete = true;
      },
      end: () => {
        if (!this.#running.delete(key)) return;
        if (slot !== undefined) this.#free.push(slot);
        if (isComplete) this.#latest.push(this.#now() - beganAt);
        if (this.#latest.length > REMEMBERED) this.#latest.shift();
        // The next one has the turn before anybody else can come in between.
        this.#queue.next()?.begin(this.#begin());
      },
    };
  }

  #takeBest(score: (slot: T) => number): T {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, slot] of this.#free.entries()) {
      const points = score(slot);
      if (points > bestScore) [best, bestScore] = [index, points];
    }
    const [slot] = this.#free.splice(best, 1);
    if (slot === undefined) throw new Error('There are more turns than slots.');
    return slot;
  }
}
