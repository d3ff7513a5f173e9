// Tells whoever shows how fresh things are that a request got no answer at all, so that it need not wait for its own.

const listeners = new Set<() => void>();

/** Calls `listener` each time a request finds the studio silent. Returns the way to stop. */
export function subscribeUnreachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function announceUnreachable(): void {
  for (const listener of listeners) listener();
}
