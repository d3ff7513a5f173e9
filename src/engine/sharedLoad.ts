// A slow load of a model that several callers wait for together. It is aborted when all of them have left.
import { withAbort } from './abort.ts';

export class SharedLoad<T> {
  readonly #controller = new AbortController();
  readonly #promise: Promise<T>;
  #waiting = 0;
  #isSettled = false;
  #value: T | null = null;

  /** `start` runs at once. Its signal is aborted if all callers leave before it ends. */
  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#promise = start(this.#controller.signal);
    this.#promise.then(
      (value) => {
        this.#isSettled = true;
        this.#value = value;
        return value;
      },
      () => {
        this.#isSettled = true;
      },
    );
  }

  /** True if all callers have left. A new caller must start a new load. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The result; null before it is there. */
  get value(): T | null {
    return this.#value;
  }

  /** Waits for the result; rejects with an AbortError as soon as `signal` is aborted. */
  async join(signal: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await withAbort(this.#promise, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isSettled) this.#controller.abort();
    }
  }

  /** Calls `react` if the load fails. */
  onFailure(react: () => void): void {
    this.#promise.catch(react);
  }

  /** Waits until the load ends: the result, or null if it failed. */
  async settled(): Promise<T | null> {
    return await this.#promise.catch(() => null);
  }
}
