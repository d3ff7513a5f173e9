// Deletes all that the studio keeps in this browser, as for the next person at the same machine.

import { LEAVE_NOTICE } from './leaveNotice.ts';

/** All names of what is kept begin so. */
const PREFIX = 'studio.';
const DATABASES = ['studio.playground', 'studio.grids'];

function clear(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX) && key !== LEAVE_NOTICE) storage.removeItem(key);
}

/** Tabs that have it open let go of it when they are told. */
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
 * The page must be loaded anew afterwards. Rejects with the reason where a database could not be deleted; all else is
 * deleted then too.
 */
export async function forgetBrowser(): Promise<void> {
  const ends = await Promise.allSettled(DATABASES.map(deleteDatabase));
  clear(localStorage);
  clear(sessionStorage);
  // The page stores once more as it goes.
  window.addEventListener('pagehide', () => clear(sessionStorage));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
