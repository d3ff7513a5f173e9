// Lets other work of the thread go first, every few milliseconds.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

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
