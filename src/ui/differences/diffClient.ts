// Computes differences of texts in a worker and caches them, because a view may unmount and mount again many times.
// Callers pass the worker.
import type { TextDiff } from '#core/differences/textDiff.ts';
import type { Outcome, TimedWorker } from '#ui/timing/timedWorker.ts';

export interface DiffJob {
  readonly before: string;
  readonly after: string;
}

export type DiffResult = TextDiff | null;

/** null: the texts are too different, or it took too long. A text: why they can't be compared. */
export type FoundDiff = { readonly diff: TextDiff | null } | { readonly problem: string };

export interface DiffClient {
  /** undefined: not known yet. The same texts give the same object. */
  readonly get: (before: string, after: string) => FoundDiff | undefined;
  /** Requests a difference and calls back when it is ready; returns a function that cancels. */
  readonly follow: (before: string, after: string, onChange: () => void) => () => void;
}

interface Entry {
  readonly job: DiffJob;
  found: FoundDiff | undefined;
  readonly followers: Set<() => void>;
}

/** Number of cached differences that no view shows. */
const MAX_KEPT = 64;

const toFound = (outcome: Outcome<DiffResult>): FoundDiff => {
  if (outcome.kind === 'broken') return { problem: `Differences can’t be found: ${outcome.message} Reload the page.` };
  return { diff: outcome.kind === 'done' ? outcome.result : null };
};

export function openDiffClient({ run }: Pick<TimedWorker<DiffJob, DiffResult>, 'run'>): DiffClient {
  /** By the first text, then by the second, oldest request first. */
  const entries = new Map<string, Map<string, Entry>>();
  let isWorking = false;

  const find = (before: string, after: string): Entry | undefined => entries.get(before)?.get(after);
  const list = (): readonly Entry[] => [...entries.values()].flatMap((inner) => Array.from(inner.values()));

  function remove({ job }: Entry): void {
    const inner = entries.get(job.before);
    inner?.delete(job.after);
    if (inner?.size === 0) entries.delete(job.before);
  }

  function forget(): void {
    const idle = list().filter(({ followers }) => followers.size === 0);
    for (const entry of idle.slice(0, Math.max(0, idle.length - MAX_KEPT))) remove(entry);
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (;;) {
      // A request that was cancelled before its turn is repeated when its view is back.
      const entry = list().find(({ found, followers }) => found === undefined && followers.size > 0);
      if (!entry) break;
      const [outcome] = await run([entry.job]);
      entry.found = outcome ? toFound(outcome) : { diff: null };
      for (const onChange of entry.followers) onChange();
    }
    isWorking = false;
  }

  return {
    get: (before, after) => find(before, after)?.found,
    follow(before, after, onChange) {
      let entry = find(before, after);
      if (!entry) {
        forget();
        entry = { job: { before, after }, found: undefined, followers: new Set() };
        const inner = entries.get(before) ?? new Map<string, Entry>();
        entries.set(before, inner.set(after, entry));
      }
      const { followers } = entry;
      followers.add(onChange);
      void work();
      return () => void followers.delete(onChange);
    },
  };
}
