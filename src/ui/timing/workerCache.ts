// Results of a worker, found once for all who show them and cached: a view may leave the document and return many times.
// The worker is an argument.
import type { Outcome, TimedWorker } from './timedWorker.ts';

export interface WorkerCache<Job, Found> {
  /** undefined: not known yet. The same job gives the same object. */
  readonly get: (job: Job) => Found | undefined;
  /** Requests a result and calls back when it is ready. Returns a function that cancels this. */
  readonly follow: (job: Job, onChange: () => void) => () => void;
}

interface WorkerCacheDeps<Job, Result, Found> {
  readonly run: TimedWorker<Job, Result>['run'];
  readonly toKey: (job: Job) => string;
  readonly toFound: (outcome: Outcome<Result>) => Found & ({} | null);
  /** Number of results that are announced together. */
  readonly batchSize: number;
  /** Number of cached results that nothing shows. */
  readonly maxKept: number;
}

interface Entry<Job, Found> {
  readonly job: Job;
  found: Found | undefined;
  readonly followers: Set<() => void>;
}

export function openWorkerCache<Job, Result, Found>({
  run,
  toKey,
  toFound,
  batchSize,
  maxKept,
}: WorkerCacheDeps<Job, Result, Found>): WorkerCache<Job, Found> {
  const entries = new Map<string, Entry<Job, Found>>();
  let waiting: Entry<Job, Found>[] = [];
  let isWorking = false;
  let most = maxKept;

  function tell(made: readonly Entry<Job, Found>[]): void {
    for (const { followers } of made) for (const onChange of followers) onChange();
  }

  function takeBatch(): readonly Entry<Job, Found>[] {
    // What left the document before its turn is requested again when it returns.
    waiting = waiting.filter(({ job, followers }) => followers.size > 0 || !entries.delete(toKey(job)));
    return waiting.splice(0, batchSize);
  }

  /** Sends a batch and caches the results. Resolves to those that were not announced yet. */
  async function makeBatch(batch: readonly Entry<Job, Found>[]): Promise<readonly Entry<Job, Found>[]> {
    let done = 0;
    let told = 0;
    const jobs = batch.map(({ job }) => job);
    await run(jobs, (outcome) => {
      const entry = batch[done];
      if (entry) entry.found = toFound(outcome);
      done += 1;
      if (outcome.kind !== 'slow') return;
      // The rest of the batch waits for a new worker.
      tell(batch.slice(told, done));
      told = done;
    });
    return batch.slice(told);
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let made: readonly Entry<Job, Found>[] = []; made.length > 0 || waiting.length > 0;) {
      // The worker makes the next ones while the page shows these.
      const next = makeBatch(takeBatch());
      tell(made);
      made = await next;
    }
    isWorking = false;
  }

  /** Removes what nothing shows from the cache once there is much. */
  function forget(): void {
    if (entries.size <= most) return;
    for (const [key, { found, followers }] of entries)
      if (followers.size === 0 && found !== undefined) entries.delete(key);
    most = Math.max(maxKept, entries.size * 2);
  }

  return {
    get: (job) => entries.get(toKey(job))?.found,
    follow(job, onChange) {
      const key = toKey(job);
      let entry = entries.get(key);
      if (!entry) {
        forget();
        entry = { job, found: undefined, followers: new Set() };
        entries.set(key, entry);
        waiting.push(entry);
      }
      const { followers } = entry;
      followers.add(onChange);
      void work();
      return () => void followers.delete(onChange);
    },
  };
}
