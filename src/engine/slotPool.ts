// A fixed number of slots handed out first come, first served. It must not know what a slot is.
import { throwIfAborted, toAbortError } from './abort';

interface Waiter<T> {
  readonly give: (slot: T) => void;
}

export class SlotPool<T> {
  readonly #free: T[];
  readonly #waiters = new Set<Waiter<T>>();
  readonly size: number;

  constructor(slots: readonly T[]) {
    this.#free = [...slots];
    this.size = slots.length;
  }

  get freeCount(): number {
    return this.#free.length;
  }

  get waitingCount(): number {
    return this.#waiters.size;
  }

  /**
   * The best free slot by `score` (highest first), or the next one that is released. Leaves the queue at once when
   * `signal` is aborted (AbortError).
   */
  async acquire(signal: AbortSignal, score: (slot: T) => number = () => 0): Promise<T> {
    throwIfAborted(signal);
    let best = -1;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, slot] of this.#free.entries()) {
      const points = score(slot);
      if (points > bestScore) [best, bestScore] = [index, points];
    }
    const [slot] = best === -1 ? [] : this.#free.splice(best, 1);
    if (slot !== undefined) return slot;
    return await new Promise<T>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(waiter);
        reject(toAbortError(signal));
      };
      const waiter: Waiter<T> = {
        give: (given) => {
          signal.removeEventListener('abort', onAbort);
          resolve(given);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  release(slot: T): void {
    const [next] = this.#waiters;
    if (next === undefined) {
      this.#free.push(slot);
      return;
    }
    this.#waiters.delete(next);
    next.give(slot);
  }
}
