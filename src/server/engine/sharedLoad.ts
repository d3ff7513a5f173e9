// A slow start (loading a model) that several callers wait for together; it is given up when all of them have left.
import { withAbort } from './abort.ts';

export class SharedLoad<T> {
  readonly #controller = new AbortController();
  readonly #promise: Promise<T>;
  #waiting = 0;
  #isSettled = false;
  #value: T | null = null;

  /** `start` runs at once; its signal is aborted when the last caller has left before it was done. */
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

  /** True when nobody wants the result any more: a new caller has to start anew. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The result when it is there already. */
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

  /** Calls back when the start has failed. */
  onFailure(react: () => void): void {
    this.#promise.catch(react);
  }

  /** The result once the start has ended; null when it failed. */
  async settled(): Promise<T | null> {
    return await this.#promise.catch(() => null);
  }
}
