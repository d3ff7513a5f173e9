// When to work and when to rest.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

/** Lets other work of the thread go first, every few milliseconds. */
export class TimeSlicer {
  #since = performance.now();
  /** Milliseconds in which other work went first. */
  paused = 0;

  /** Waits for other work if this slice has been long enough. */
  async pauseIfDue(): Promise<void> {
    const begin = performance.now();
    if (begin - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
    this.paused += this.#since - begin;
  }
}

/** Sleeps until somebody wakes it. */
export class Sleeper {
  #end: (() => void) | null = null;

  async sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.#end = null;
  }

  wake(): void {
    this.#end?.();
  }
}
