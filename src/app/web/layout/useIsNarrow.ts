// Whether there is room for one panel only.
import { useSyncExternalStore } from 'react';

const query = () => window.matchMedia('(width < 900px)');
let last = false;

/**
 * Paper is narrow, but laying the page out anew for it would mount every panel anew: there the screen's answer holds.
 */
function read(): boolean {
  if (!window.matchMedia('print').matches) last = query().matches;
  return last;
}

function subscribe(listener: () => void): () => void {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, read);
}
