// Deletes everything that the studio stores in this browser, for example for the next person at the same machine.

import { LEAVE_NOTICE } from './leaveNotice.ts';

/** Prefix of every stored name. */
const PREFIX = 'studio.';
const DATABASES = ['studio.playground', 'studio.grids', 'studio.visits'];

function clear(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX) && key !== LEAVE_NOTICE) storage.removeItem(key);
}

/** Other tabs close their connection on the event. */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error('The database gave no reason.')));
    request.addEventListener('blocked', () =>
      reject(new Error('Another tab has it open. Close the studio’s other tabs, then try again.')),
    );
  });
}

/**
 * The page must reload afterwards. Rejects with the reason if a database could not be deleted; everything else is
 * deleted then too.
 */
export async function forgetBrowser(): Promise<void> {
  const results = await Promise.allSettled(DATABASES.map(deleteDatabase));
  clear(localStorage);
  clear(sessionStorage);
  // The page writes once more while it unloads.
  window.addEventListener('pagehide', () => clear(sessionStorage));
  const failed = results.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
