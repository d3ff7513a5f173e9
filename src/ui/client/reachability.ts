// Announces that a request got no answer at all, so that freshness indicators need not wait for their own request.

const listeners = new Set<() => void>();

/** Calls `listener` each time a request gets no answer. Returns a function that stops. */
export function subscribeUnreachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function announceUnreachable(): void {
  for (const listener of listeners) listener();
}
