// How long each `processing` snapshot has been watched, and how often the service was asked. Lives as long as the page:
// leaving the tab must not restart the clock.
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

/** The same answer seen twice counts once; anything but `processing` ends the watch. */
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
