// Limits the number of tasks that run at the same time; the others wait in a queue.
import { toAborted } from './failure.ts';

export interface Places {
  /**
   * Resolves once there is room, first come first served, with what frees the place. Calls `onWait` if it has to wait.
   * Rejects at once if `signal` aborts before.
   */
  take(signal: AbortSignal, onWait?: () => void): Promise<() => void>;
}

export interface Limiter extends Places {
  /** Runs the task as soon as there is room. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createLimiter(maxRunning: number): Limiter {
  const waiting = new Set<() => void>();
  let free = maxRunning;

  function release(): void {
    const [start] = waiting;
    // The place passes directly to the next one, so a new one can't overtake it.
    if (start) start();
    else free += 1;
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        reject(toAborted());
      };
      const start = (): void => {
        waiting.delete(start);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(start);
    });
  }

  async function take(signal: AbortSignal, onWait?: () => void): Promise<() => void> {
    if (signal.aborted) throw toAborted();
    if (free > 0) free -= 1;
    else {
      onWait?.();
      await wait(signal);
    }
    return release;
  }

  return {
    take,
    async run(task, signal) {
      const leave = await take(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
