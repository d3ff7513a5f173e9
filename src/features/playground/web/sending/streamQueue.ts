// A queue that runs a few streams at once. A browser opens six connections per host, and the project's poll needs one
// too.

import type { BrowserSlots } from '#ui/storage/browserSlots.ts';

export interface StreamQueue {
  /**
   * Opens the stream when a place is free, first come first served. Calls `onWait` with true when it has to wait, and
   * with false when the wait is over. The place is free again once the stream ends, fails or its consumer stops. Throws
   * the signal's reason if aborted while it waits; then it never calls `open`.
   */
  run<Item>(
    open: () => AsyncIterable<Item>,
    signal: AbortSignal,
    onWait: (isWaiting: boolean) => void,
  ): AsyncGenerator<Item, void, undefined>;
}

/** `slots`: places shared with other tabs of the browser. A stream needs one of them and a place here. */
export function openStreamQueue(places: number, slots?: BrowserSlots): StreamQueue {
  let free = places;
  const waiting: (() => void)[] = [];

  function release(): void {
    const start = waiting.shift();
    // The place passes directly to the next waiting stream, so a new one can't overtake it.
    if (start) start();
    else free += 1;
  }

  /** Resolves when a place is free; rejects with the signal's reason if aborted before. */
  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      waiting.push(start);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  async function* run<Item>(
    open: () => AsyncIterable<Item>,
    signal: AbortSignal,
    onWait: (isWaiting: boolean) => void,
  ): AsyncGenerator<Item, void, undefined> {
    signal.throwIfAborted();
    const isFull = free === 0;
    if (isFull) {
      onWait(true);
      await wait(signal);
    } else {
      free -= 1;
    }
    let isWaiting = isFull;
    const onSlotWait = (): void => {
      if (!isWaiting) onWait(true);
      isWaiting = true;
    };
    try {
      const releaseSlot = slots ? await slots.take(signal, onSlotWait) : null;
      try {
        if (isWaiting) onWait(false);
        yield* open();
      } finally {
        releaseSlot?.();
      }
    } finally {
      release();
    }
  }

  return { run };
}
