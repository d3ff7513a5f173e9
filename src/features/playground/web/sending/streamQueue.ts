// A queue that runs a few streams at once. A browser opens six connections per host, and the project's poll needs one
// too.
import { createLimiter, type Places } from '#ui/client/concurrencyLimit.ts';

export interface StreamQueue {
  /**
   * Opens the stream when a place is free, first come first served. Calls `onWait` with true when it has to wait, and
   * with false when the wait is over. The place is free again once the stream ends, fails or its consumer stops. Throws
   * if aborted while it waits; then it never calls `open`.
   */
  run<Item>(
    open: () => AsyncIterable<Item>,
    signal: AbortSignal,
    onWait: (isWaiting: boolean) => void,
  ): AsyncGenerator<Item, void, undefined>;
}

/** `shared`: places shared with other tabs of the browser. A stream needs one of them and a place here. */
export function openStreamQueue(places: number, shared?: Places): StreamQueue {
  const own = createLimiter(places);
  return {
    async *run(open, signal, onWait) {
      let isWaiting = false;
      const startWait = (): void => {
        if (!isWaiting) onWait(true);
        isWaiting = true;
      };
      const leave = await own.take(signal, startWait);
      try {
        const leaveShared = await shared?.take(signal, startWait);
        try {
          if (isWaiting) onWait(false);
          yield* open();
        } finally {
          leaveShared?.();
        }
      } finally {
        leave();
      }
    },
  };
}
