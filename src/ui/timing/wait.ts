/** The longest delay of a timer, 24 days. A longer one would overflow and end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or as soon as the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS));
    signal.addEventListener('abort', end);
  });
}
