// Reads that many ask for at once, done once for all of them; nobody gets what was read before they asked.

/** Joins calls: while one read goes on, all that come share the next one. */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    const started = read().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  };
  const startNext = (): Promise<T> => {
    next = null;
    return start();
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(startNext, startNext);
    return next;
  };
}
