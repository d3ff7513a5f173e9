// Renders formulas in a worker, with a time limit for each, and caches them: a long answer enters and leaves the
// document many times. The worker and the timer are arguments.
import { openTimedWorker, type Outcome, type TimedWorkerDeps } from '#ui/timing/timedWorker.ts';
import type { MathElement } from './mathAllowed.ts';

type MathResult = MathElement | null;

export interface MathClient {
  /** null: shown as its source. undefined: not rendered yet. */
  readonly get: (source: string) => MathResult | undefined;
  /** Requests a formula and calls back when it is ready. Returns a function that cancels this. */
  readonly follow: (source: string, onChange: () => void) => () => void;
}

interface Entry {
  math: MathResult | undefined;
  readonly followers: Set<() => void>;
}

// Generous, as a busy machine must not lose formulas that are fine.
const FORMULA_MS = 2000;
/** Number of formulas that are shown together. */
const BATCH = 16;
/** After this many timeouts no more formulas are rendered. */
const MAX_SLOW = 5;
/** Number of cached formulas that nothing shows. */
const MAX_KEPT = 2000;

export function openMathClient(deps: Pick<TimedWorkerDeps<string, MathResult>, 'openWorker' | 'later'>): MathClient {
  const worker = openTimedWorker<string, MathResult>({ ...deps, jobMs: FORMULA_MS, maxSlow: MAX_SLOW });
  const entries = new Map<string, Entry>();
  let waiting: string[] = [];
  let isWorking = false;
  let most = MAX_KEPT;

  function tell(sources: readonly string[]): void {
    for (const source of sources) for (const onChange of entries.get(source)?.followers ?? []) onChange();
  }

  function takeBatch(): readonly string[] {
    // A formula that left the document before its turn is requested again when it returns.
    waiting = waiting.filter((source) => (entries.get(source)?.followers.size ?? 0) > 0 || !entries.delete(source));
    return waiting.splice(0, BATCH);
  }

  /** Sends a batch and caches the results. Resolves to the results that were not announced yet. */
  async function makeBatch(batch: readonly string[]): Promise<readonly string[]> {
    let done = 0;
    let told = 0;
    await worker.run(batch, (outcome: Outcome<MathResult>) => {
      const entry = entries.get(batch[done] ?? '');
      if (entry) entry.math = outcome.kind === 'done' ? outcome.result : null;
      done += 1;
      if (outcome.kind !== 'slow') return;
      // The rest of the batch waits for a new worker.
      tell(batch.slice(told, done));
      told = done;
    });
    return batch.slice(told);
  }

  async function start(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let made: readonly string[] = []; made.length > 0 || waiting.length > 0;) {
      // The worker renders the next ones while the page shows these.
      const next = makeBatch(takeBatch());
      tell(made);
      made = await next;
    }
    isWorking = false;
  }

  /** Removes formulas that nothing shows from the cache once there are many. */
  function forget(): void {
    if (entries.size <= most) return;
    for (const [source, entry] of entries)
      if (entry.followers.size === 0 && entry.math !== undefined) entries.delete(source);
    most = Math.max(MAX_KEPT, entries.size * 2);
  }

  function follow(source: string, onChange: () => void): () => void {
    let entry = entries.get(source);
    if (!entry) {
      forget();
      entry = { math: undefined, followers: new Set() };
      entries.set(source, entry);
      waiting.push(source);
    }
    const { followers } = entry;
    followers.add(onChange);
    void start();
    return () => void followers.delete(onChange);
  }

  return { get: (source) => entries.get(source)?.math, follow };
}
