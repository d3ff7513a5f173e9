// A session that came in the part of the address behind `#`: whether there is one, and how it leaves the address again.
import { useSyncExternalStore } from 'react';

/** What the hash of such a link begins with. */
export const SHARE_MARK = '#s=';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function read(): string | null {
  const { hash } = window.location;
  return hash.startsWith(SHARE_MARK) ? hash : null;
}

/** The hash of a link that holds a session; null when the address has none. */
export function useShareHash(): string | null {
  return useSyncExternalStore(subscribe, read, () => null);
}

/** Takes it out of the address, so that a reload does not ask again. */
export function dropShareHash(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(null, '', `${pathname}${search}`);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
