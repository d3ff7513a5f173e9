// A few slots that all tabs of a browser share, built on the browser's locks.
import type { Places } from '#ui/client/concurrencyLimit.ts';

/** Frees the slot. */
type Release = () => void;

/** Requests one lock, held until it is released; null: it is taken, or the wait was aborted. */
function requestLock(locks: LockManager, name: string, options: LockOptions): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) return void resolve(null);
      return new Promise<void>((release) => resolve(release));
    };
    locks.request(name, options, hold).catch(reject);
  });
}

/** Waits for all locks, keeps the first one, and releases the others. */
async function waitForAny(locks: LockManager, names: readonly string[], signal: AbortSignal): Promise<Release> {
  const found = new AbortController();
  const stop = AbortSignal.any([signal, found.signal]);
  let isTaken = false;
  const waits = names.map(async (name) => {
    const release = await requestLock(locks, name, { signal: stop });
    if (release === null || isTaken) {
      release?.();
      throw new Error('Another place came first.');
    }
    isTaken = true;
    found.abort();
    return release;
  });
  try {
    return await Promise.any(waits);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Without locks (plain HTTP) each tab has all slots for itself. */
export function openBrowserSlots(name: string, places: number): Places {
  const names = Array.from({ length: places }, (_, at) => `${name}.${at}`);
  return {
    async take(signal, onWait) {
      const locks = typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null;
      if (!locks) return () => undefined;
      for (const lockName of names) {
        const release = await requestLock(locks, lockName, { ifAvailable: true });
        if (release && signal.aborted) release();
        signal.throwIfAborted();
        if (release) return release;
      }
      onWait?.();
      return waitForAny(locks, names, signal);
    },
  };
}
