// A few places that all tabs of a browser share, by the browser's locks.

/** Frees the place. */
type LetGo = () => void;

export interface BrowserSlots {
  /** Resolves once this tab has a place; `onWait` is called if it has to wait. Rejects with the signal's reason. */
  take(signal: AbortSignal, onWait: () => void): Promise<LetGo>;
}

/** One lock, held until it is let go; null: it is taken (or the wait for it was given up). */
function takeLock(locks: LockManager, name: string, options: LockOptions): Promise<LetGo | null> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) return void resolve(null);
      return new Promise<void>((letGo) => resolve(letGo));
    };
    locks.request(name, options, hold).catch(reject);
  });
}

/** Waits for all of them, keeps the first that comes, and gives the others back. */
async function waitForAny(locks: LockManager, names: readonly string[], signal: AbortSignal): Promise<LetGo> {
  const enough = new AbortController();
  const stop = AbortSignal.any([signal, enough.signal]);
  let isTaken = false;
  const waits = names.map(async (name) => {
    const letGo = await takeLock(locks, name, { signal: stop });
    if (letGo === null || isTaken) {
      letGo?.();
      throw new Error('Another place came first.');
    }
    isTaken = true;
    enough.abort();
    return letGo;
  });
  try {
    return await Promise.any(waits);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Without locks (plain HTTP) each tab has all places for itself. */
export function openBrowserSlots(name: string, places: number): BrowserSlots {
  const names = Array.from({ length: places }, (_, at) => `${name}.${at}`);
  return {
    async take(signal, onWait) {
      const locks = typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null;
      if (!locks) return () => undefined;
      for (const each of names) {
        const letGo = await takeLock(locks, each, { ifAvailable: true });
        if (letGo && signal.aborted) letGo();
        signal.throwIfAborted();
        if (letGo) return letGo;
      }
      onWait();
      return waitForAny(locks, names, signal);
    },
  };
}
