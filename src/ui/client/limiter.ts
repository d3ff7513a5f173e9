// Limits the number of tasks that run at the same time; the others wait in a queue.
import { toAborted } from './failure.ts';

export interface Limiter {
  /** Runs the task as soon as there is room. Rejects at once if `signal` aborts while it waits. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createLimiter(maxRunning: number): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  function next(): void {
    if (running >= maxRunning) return;
    for (const start of waiting) {
      waiting.delete(start);
      start();
      return;
    }
  }

  function enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        reject(toAborted());
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        running++;
        resolve();
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(start);
      next();
    });
  }

  return {
    async run(task, signal) {
      await enter(signal);
      try {
        return await task();
      } finally {
        running--;
        next();
      }
    },
  };
}
