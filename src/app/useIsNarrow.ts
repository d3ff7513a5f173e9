// Whether there is room for one panel only.
import { useSyncExternalStore } from 'react';

const query = () => window.matchMedia('(width < 900px)');

function subscribe(listener: () => void): () => void {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches);
}
