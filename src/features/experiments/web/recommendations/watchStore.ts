// Since when each snapshot's record is `processing`, and how often the service answered so. The store lives as long as
// the page: leaving the tab must not restart the clock.
import { create } from 'zustand';

export interface Watch {
  /** Time of the first answer that said `processing`, ms since 1970. */
  readonly since: number;
  /** Answers since then, the first included. */
  readonly polls: number;
  readonly lastAt: number;
}

export interface Answer {
  readonly status: string;
  /** When the answer came, ms since 1970. */
  readonly at: number;
}

/** An answer that is seen twice counts once; any other status than `processing` ends the watch. */
export function reduceWatch(watch: Watch | null, answer: Answer): Watch | null {
  if (answer.status !== 'processing') return null;
  if (!watch) return { since: answer.at, polls: 1, lastAt: answer.at };
  if (answer.at <= watch.lastAt) return watch;
  return { ...watch, polls: watch.polls + 1, lastAt: answer.at };
}

const useStore = create<{ readonly watches: ReadonlyMap<string, Watch> }>(() => ({ watches: new Map() }));

export function useWatch(snapshotId: string): Watch | null {
  return useStore((store) => store.watches.get(snapshotId) ?? null);
}

/** Records an answer; drops the entries of settled snapshots. */
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
