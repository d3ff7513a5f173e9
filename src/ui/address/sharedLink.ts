// A shared session in the hash of the address: finds it, and removes it from the address.
import { useSyncExternalStore } from 'react';

/** Prefix of such a hash. */
export const SHARE_MARK = '#s=';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function read(): string | null {
  const { hash } = window.location;
  return hash.startsWith(SHARE_MARK) ? hash : null;
}

/** The hash of a link with a session; null: the address has none. */
export function useShareHash(): string | null {
  return useSyncExternalStore(subscribe, read, () => null);
}

/** Removes the hash, so that a reload does not ask again. */
export function dropShareHash(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(null, '', `${pathname}${search}`);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
