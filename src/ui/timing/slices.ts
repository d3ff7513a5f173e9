// Runs long work on the main thread in slices, so that keys, clicks and frames run in between.

type Pause = () => Promise<void>;

interface Scheduler {
  readonly yield: Pause;
}

const hasYield = (value: unknown): value is Scheduler =>
  typeof value === 'object' && value !== null && 'yield' in value && typeof value.yield === 'function';

/** Calls back after the waiting tasks. Uses a message to itself, which browsers never throttle, unlike a timer. */
export function afterTasks(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => (port1.close(), callback()), { once: true });
  port1.start();
  port2.postMessage(null);
}

/** Yields to the browser. Where supported, work continues before other tasks of the same priority. */
function pauseShortly(): Promise<void> {
  const scheduler: unknown = 'scheduler' in globalThis ? globalThis.scheduler : null;
  return hasYield(scheduler) ? scheduler.yield() : new Promise(afterTasks);
}

export interface SliceRule {
  /** A slice ends with the first step after this many milliseconds. */
  readonly budgetMs: number;
  /** Resolves when the next slice may begin. */
  readonly pause: Pause;
  readonly now?: () => number;
}

/** For work that a person waits for: as fast as the page allows. */
export const URGENT_SLICES: SliceRule = { budgetMs: 30, pause: pauseShortly };

/** A short slice in each frame of the browser. */
export const FRAME_SLICES: SliceRule = {
  budgetMs: 8,
  pause: () => new Promise((resolve) => void requestAnimationFrame(() => resolve())),
};

/** One step per timer, behind all other work. */
export const TIMER_STEPS: SliceRule = {
  budgetMs: 0,
  pause: () => new Promise((resolve) => void setTimeout(resolve, 0)),
};

/** Runs steps to their end and returns their result. Throws what they throw. */
export type RunInSlices = <T>(steps: Iterator<unknown, T>) => Promise<T>;

/** Runs generators one after the other; short ones share a slice. An abort rejects with the signal's reason. */
export function toRunner(
  { budgetMs, pause, now = () => performance.now() }: SliceRule = URGENT_SLICES,
  signal?: AbortSignal,
): RunInSlices {
  let end = now() + budgetMs;
  return async (steps) => {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      if (now() < end) continue;
      await pause();
      signal?.throwIfAborted();
      end = now() + budgetMs;
    }
  };
}

export const runInSlices = <T>(steps: Iterator<unknown, T>, rule?: SliceRule): Promise<T> => toRunner(rule)(steps);

/** Runs steps for an effect. Returns a function that stops them; `onDone` is not called then. */
export function startSlices<T>(steps: Iterator<unknown, T>, rule: SliceRule, onDone: (result: T) => void): () => void {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    try {
      const result = await toRunner(rule, stop.signal)(steps);
      if (!stop.signal.aborted) onDone(result);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  };
  void run();
  return () => stop.abort();
}
