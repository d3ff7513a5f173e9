// Lets other work of the thread go first, every few milliseconds.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

export class TimeSlicer {
  #since = performance.now();
  /** When it was last asked: a call of a network mount that hangs stops the asking. */
  askedAt = this.#since;
  /** Milliseconds in which other work went first. */
  paused = 0;

  /** Waits for other work if this slice has been long enough. */
  async pauseIfDue(): Promise<void> {
    this.askedAt = performance.now();
    if (this.askedAt - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
    this.paused += this.#since - this.askedAt;
  }
}
