// How the previous visit to each project ended, as far as this page knows. Lives as long as the page; visitTracker.ts
// fills it.
import { create } from 'zustand';
import type { SeenProject } from './visitChanges.ts';

const useStore = create<{ readonly previous: ReadonlyMap<string, SeenProject | null> }>(() => ({
  previous: new Map(),
}));

export function keepPreviousVisit(projectId: string, seen: SeenProject | null): void {
  const known = useStore.getState().previous.get(projectId);
  if (known !== undefined && known?.at === seen?.at) return;
  useStore.setState(({ previous }) => ({ previous: new Map(previous).set(projectId, seen) }));
}

/** null: there was none, or it is not read yet. The same object as long as the visit lasts. */
export function usePreviousVisit(projectId: string): SeenProject | null {
  return useStore(({ previous }) => previous.get(projectId) ?? null);
}
