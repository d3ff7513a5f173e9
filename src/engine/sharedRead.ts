// One read for many callers that ask at the same time.

/** Callers that come during a read share the next one, so no caller gets a result that is older than its call. */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const own = read();
    running = own;
    const end = (): void => {
      if (running === own) running = null;
    };
    own.then(end, end);
    return own;
  };
  return () => {
    // This check comes first: between two reads nothing is running, but callers already share the next one.
    if (next !== null) return next;
    if (running === null) return start();
    next = running.then(start, start);
    return next;
  };
}

/** Callers share a running read, or one that ended less than `ms` ago on the clock `now`. */
export function shareRecent<T>(read: () => Promise<T>, ms: number, now: () => number): () => Promise<T> {
  let last: { readonly reading: Promise<T>; endedAt: number | null } | null = null;
  return () => {
    if (last !== null && (last.endedAt === null || now() - last.endedAt < ms)) return last.reading;
    const current = { reading: read(), endedAt: null as number | null };
    last = current;
    const end = (): void => void (current.endedAt = now());
    current.reading.then(end, end);
    return current.reading;
  };
}
