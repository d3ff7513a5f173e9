// Long work on the main thread in slices, so that keys, clicks and frames come through in between.

/** A slice ends with the first step after this many milliseconds. */
const SLICE_MS = 30;

interface Scheduler {
  readonly yield: () => Promise<void>;
}

const hasYield = (value: unknown): value is Scheduler =>
  typeof value === 'object' && value !== null && 'yield' in value && typeof value.yield === 'function';

/**
 * Lets the browser do what waits. Where it can, it comes back here before it begins anything else that is as urgent;
 * else a message does it, which unlike a timer is not held back for some milliseconds.
 */
function pause(): Promise<void> {
  const scheduler: unknown = 'scheduler' in globalThis ? globalThis.scheduler : null;
  if (hasYield(scheduler)) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

/** Runs a generator to its end, pausing at a `yield` whenever a slice is full. Throws what it throws. */
export type RunInSlices = <T>(steps: Generator<unknown, T>) => Promise<T>;

/** Runs one generator after the other; short ones share a slice. */
export function toRunner(now: () => number = () => performance.now()): RunInSlices {
  let end = now() + SLICE_MS;
  return async (steps) => {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      if (now() < end) continue;
      await pause();
      end = now() + SLICE_MS;
    }
  };
}

export const runInSlices = <T>(steps: Generator<unknown, T>, now?: () => number): Promise<T> => toRunner(now)(steps);
