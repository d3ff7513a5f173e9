// A service's share of work that any number of services do: it looks for some, does it, and looks again.
import { toReason } from '#service/database/database.ts';
import { isUnavailable } from '#service/database/unavailable.ts';

export interface WorkLoop {
  /** There may be work: looks at once. */
  wake(): void;
  /** Waits for the work that is being done, then stops. */
  close(): Promise<void>;
}

export interface WorkLoopOptions {
  /** Resolves to the milliseconds until it is to look again: 0 after work was done. */
  readonly work: () => Promise<number>;
  readonly onFailure: (reason: string) => void;
}

const FAILED_MS = 1_000;

/** Begins to work. */
export function openWorkLoop({ work, onFailure }: WorkLoopOptions): WorkLoop {
  const closing = new AbortController();
  let isAwake = false;
  let wakeUp: () => void = () => undefined;

  async function pause(ms: number): Promise<void> {
    if (!isAwake && ms > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    isAwake = false;
  }
  const wake = (): void => {
    isAwake = true;
    wakeUp();
  };

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      const ms = await work().catch((error: unknown) => {
        // The database reports by itself that it is away.
        if (!isUnavailable(error) && !closing.signal.aborted) onFailure(toReason(error));
        return FAILED_MS;
      });
      if (!closing.signal.aborted) await pause(ms);
    }
  }
  const looping = loop();
  return {
    wake,
    async close() {
      closing.abort();
      wake();
      await looping;
    },
  };
}
