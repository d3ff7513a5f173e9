// Reads that many ask for at once, done once for all of them.

/** While one read goes on, all that come share the next one: nobody gets what was read before they asked. */
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
    // First: between the end of a read and the start of the next one nothing runs, but the next one is spoken for.
    if (next !== null) return next;
    if (running === null) return start();
    next = running.then(start, start);
    return next;
  };
}

/** A read that goes on, or ended less than `ms` ago on the clock `now`, is recent enough for all that come. */
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
