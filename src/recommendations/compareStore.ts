// Keeps each snapshot's compare while the page lives, so that a look at another tab loses nothing.
// It must not know the candidates themselves: they belong to the query cache.
import { create } from 'zustand';
import { reduceCompare, type CompareEvent, type CompareState } from './compareState';

interface CompareStore {
  /** By snapshot id; a snapshot that nobody has touched has no entry. */
  readonly states: ReadonlyMap<string, CompareState>;
}

const useStore = create<CompareStore>(() => ({ states: new Map() }));

/** The snapshot's compare; `start` until someone has changed it. */
export function useCompareState(snapshotId: string, start: CompareState): CompareState {
  return useStore((store) => store.states.get(snapshotId)) ?? start;
}

/** Folds an event into the snapshot's compare. */
export function changeCompare(snapshotId: string, start: CompareState, event: CompareEvent): void {
  useStore.setState((store) => {
    const state = store.states.get(snapshotId) ?? start;
    const next = reduceCompare(state, event);
    return next === state ? store : { states: new Map(store.states).set(snapshotId, next) };
  });
}
