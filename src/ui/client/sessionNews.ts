// Tabs share the sign-in cookie, so signing in or out affects all tabs: each tab tells the others.

const NAME = 'studio.session';
let channel: BroadcastChannel | null = null;

function openChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel !== 'function') return null;
  channel ??= new BroadcastChannel(NAME);
  return channel;
}

/** Tells the other tabs that this browser has signed in or out. */
export function announceSession(): void {
  openChannel()?.postMessage('changed');
}

/** Calls `listener` when another tab has signed in or out. Returns a function that stops. */
export function subscribeSession(listener: () => void): () => void {
  const open = openChannel();
  open?.addEventListener('message', listener);
  return () => open?.removeEventListener('message', listener);
}
