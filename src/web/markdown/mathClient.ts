// Has formulas made in a worker, with a time limit for each, and keeps them: an answer is put into the document and
// taken out of it many times. The worker and the timer come in.
import type { MathElement } from './mathAllowed.ts';

/** Once that the worker is ready, then a result for each source, in order. */
export type MathReply = { readonly kind: 'ready' } | { readonly kind: 'result'; readonly math: MathElement | null };

interface MathWorker {
  readonly send: (sources: readonly string[]) => void;
  readonly close: () => void;
}

export interface MathClientDeps {
  readonly openWorker: (onReply: (reply: MathReply) => void, onError: () => void) => MathWorker;
  /** Calls back after `ms`; gives the way to call it off. */
  readonly later: (ms: number, callback: () => void) => () => void;
}

export interface MathClient {
  /** Null: it is shown as typed. Undefined: nothing is known of it yet. */
  readonly get: (source: string) => MathElement | null | undefined;
  /** Asks for a formula, and calls back when it is there; gives the way to end that. */
  readonly follow: (source: string, onChange: () => void) => () => void;
}

interface Entry {
  math: MathElement | null | undefined;
  readonly followers: Set<() => void>;
}

const START_MS = 20_000;
// Generous, as a busy machine must not lose formulas that are fine.
const FORMULA_MS = 2000;
/** So many are shown in one go. */
const BATCH = 16;
/** After so many that took too long no more are made. */
const MAX_SLOW = 5;
/** So many that nobody shows are kept. */
const MAX_KEPT = 2000;

export function openMathClient({ openWorker, later }: MathClientDeps): MathClient {
  const entries = new Map<string, Entry>();
  let waiting: string[] = [];
  let batch: readonly string[] = [];
  let done = 0;
  let worker: MathWorker | null = null;
  let isReady = false;
  let isGivenUp = false;
  let slow = 0;
  let most = MAX_KEPT;
  let callOff = (): void => undefined;

  function watch(): void {
    callOff();
    // Loading the worker is no part of a formula's time.
    callOff = isReady ? later(FORMULA_MS, () => fail(true)) : later(START_MS, () => fail(false));
  }

  function settle(source: string, math: MathElement | null): void {
    const entry = entries.get(source);
    if (entry) entry.math = math;
  }

  function tell(sources: readonly string[]): void {
    for (const source of sources) for (const onChange of entries.get(source)?.followers ?? []) onChange();
  }

  /** Ends the batch as far as it is done, and begins the next. */
  function next(): void {
    callOff();
    const ended = batch.slice(0, done);
    batch = [];
    done = 0;
    start();
    tell(ended);
  }

  function fail(isSlow: boolean): void {
    worker?.close();
    worker = null;
    isReady = false;
    if (isSlow) slow += 1;
    isGivenUp ||= !isSlow || slow >= MAX_SLOW;
    waiting = [...batch.slice(isSlow ? done + 1 : done), ...waiting];
    if (isSlow) {
      settle(batch[done] ?? '', null);
      done += 1;
    }
    next();
  }

  function open(): MathWorker {
    const opened = openWorker(
      (reply) => {
        if (opened !== worker) return;
        if (reply.kind === 'ready') isReady = true;
        else {
          settle(batch[done] ?? '', reply.math);
          done += 1;
        }
        if (batch.length > 0 && done === batch.length) next();
        else watch();
      },
      () => opened === worker && fail(false),
    );
    worker = opened;
    return opened;
  }

  function start(): void {
    if (batch.length > 0) return;
    // What left the document before its turn is asked for again when it is back.
    waiting = waiting.filter((source) => (entries.get(source)?.followers.size ?? 0) > 0 || !entries.delete(source));
    if (waiting.length === 0) return;
    batch = waiting.splice(0, isGivenUp ? waiting.length : BATCH);
    if (isGivenUp) {
      for (const source of batch) settle(source, null);
      done = batch.length;
      next();
      return;
    }
    (worker ?? open()).send(batch);
    watch();
  }

  /** Forgets what nobody shows, once there is much of it. */
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
    start();
    return () => void followers.delete(onChange);
  }

  return { get: (source) => entries.get(source)?.math, follow };
}
