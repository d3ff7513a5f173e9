// Lets a few streams run at once and has the others wait in turn: a browser opens six connections per host, and the
// project's poll needs one too.

import type { BrowserSlots } from '#web/session/browserSlots.ts';

export interface StreamQueue {
  /**
   * The stream that `open` gives, opened when a place is free, first come first served. `onWait` is told true when it
   * has to wait for one and false when the wait is over. The place is free again once the stream ends, fails or is
   * left. Throws the signal's reason when aborted while it waits; `open` is then never called.
   */
  run<Item>(
    open: () => AsyncIterable<Item>,
    signal: AbortSignal,
    onWait: (isWaiting: boolean) => void,
  ): AsyncGenerator<Item, void, undefined>;
}

/** `slots`: places that other tabs of the browser need too; a stream has one of them besides its place here. */
export function openStreamQueue(places: number, slots?: BrowserSlots): StreamQueue {
  let free = places;
  const line: (() => void)[] = [];

  function release(): void {
    const start = line.shift();
    // A place is handed on, never free in between: nobody new can slip in before those who wait.
    if (start) start();
    else free += 1;
  }

  /** Resolves once there is a place; rejects with the signal's reason when aborted before that. */
  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.splice(line.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      line.push(start);
      signal.addEventListener('abort', leave, { once: true });
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
      const letGo = slots ? await slots.take(signal, onSlotWait) : null;
      try {
        if (isWaiting) onWait(false);
        yield* open();
      } finally {
        letGo?.();
      }
    } finally {
      release();
    }
  }

  return { run };
}
