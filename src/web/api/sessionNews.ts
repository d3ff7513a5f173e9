// Signing in or out happens for all tabs of the browser at once, since they share the cookie: each tells the others.

const NAME = 'studio.session';
let channel: BroadcastChannel | null = null;

function openChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel !== 'function') return null;
  channel ??= new BroadcastChannel(NAME);
  return channel;
}

/** Tells the other tabs that this browser has been signed in or out. */
export function announceSession(): void {
  openChannel()?.postMessage('changed');
}

/** Calls `listener` when another tab has signed this browser in or out. Returns the way to stop. */
export function subscribeSession(listener: () => void): () => void {
  const open = openChannel();
  open?.addEventListener('message', listener);
  return () => open?.removeEventListener('message', listener);
}
