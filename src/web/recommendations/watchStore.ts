// Keeps the watch of each snapshot that is `processing` while the page lives: leaving the tab must not restart the
// clock.
import { create } from 'zustand';
import { reduceWatch, type Answer, type Watch } from './watch.ts';

const useStore = create<{ readonly watches: ReadonlyMap<string, Watch> }>(() => ({ watches: new Map() }));

export function useWatch(snapshotId: string): Watch | null {
  return useStore((store) => store.watches.get(snapshotId) ?? null);
}

/** Takes note of an answer; entries of settled snapshots are dropped. */
export function noteAnswer(snapshotId: string, answer: Answer): void {
  useStore.setState((store) => {
    const watch = store.watches.get(snapshotId) ?? null;
    const next = reduceWatch(watch, answer);
    if (next === watch) return store;
    const watches = new Map(store.watches);
    if (next) watches.set(snapshotId, next);
    else watches.delete(snapshotId);
    return { watches };
  });
}
