// Reads that may take long: how many are answered at a time, of one caller and in all, and for how long. Callers take turns;
// what is one too many gets 429 with the time to wait. Work whose reader has left is told to end.
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { EngineError } from '#engine/engine.ts';
import { QueueBounds } from '#engine/queueBounds.ts';
import { SlotPool } from '#engine/slotPool.ts';
import { HttpProblem } from './httpProblem.ts';

interface LoadLimits {
  /** Requests that are answered at a time, of one caller and in all. */
  readonly perCaller: number;
  readonly inAll: number;
  /** Milliseconds that the work may take; null: as long as its reader goes on to take it. */
  readonly limitMs: number | null;
}

/** What a read takes of the service. */
const LOADS = {
  /** A page or a figure. Most take some milliseconds, and a search up to some hundred. */
  page: { perCaller: 4, inAll: 8, limitMs: 30_000 },
  /** Templates of models are rendered, in a process that does one thing at a time. */
  render: { perCaller: 1, inAll: 2, limitMs: 60_000 },
  /** Whole datasets are read. */
  whole: { perCaller: 1, inAll: 2, limitMs: 600_000 },
  /** Files of folders of runs, which may lie on a disk that does not answer. */
  folder: { perCaller: 4, inAll: 16, limitMs: 60_000 },
  /** A file, as quickly as its reader takes it. */
  file: { perCaller: 6, inAll: 48, limitMs: null },
} as const satisfies Readonly<Record<string, LoadLimits>>;

export type Load = keyof typeof LOADS;

/** Requests of each load that may wait. A browser sends six at a time. */
const WAITING = { perCaller: 12, inAll: 96 };
/** Requests whose answers are not out yet: each may hold some megabytes. */
const UNSENT = { perCaller: 32, inAll: 512 };
/** Proxies and clients give up after half a minute. */
const WAIT_MS = 20_000;

export interface BoundedReadsOptions {
  readonly loads?: Readonly<Record<Load, LoadLimits>>;
  readonly waiting?: typeof WAITING;
  readonly unsent?: typeof UNSENT;
  readonly waitMs?: number;
}

/** `work` gets a signal that is aborted when its reader has left or the time is over. Throws HttpProblem, EngineError 429. */
export type AnswerRead = (
  load: Load,
  caller: string,
  outgoing: ServerResponse,
  work: (signal: AbortSignal) => Response | Promise<Response>,
) => Promise<Response>;

const toTooLong = (ms: number): HttpProblem =>
  new HttpProblem(
    504,
    `The studio worked on this for ${ms / 1000} s, the most that one request may take. Ask for less, such as fewer rows or ` +
      'runs, or try again when less is going on.',
    { code: 'took_too_long', headers: { 'X-Should-Retry': 'false' } },
  );

const toWaitedTooLong = (ms: number, seconds: number): EngineError =>
  new EngineError(
    `Others were answered for ${ms / 1000} s before this request. Send it again in ${seconds} s.`,
    429,
    'queue_full',
    null,
    String(seconds),
  );

/** Aborts `controller` after a time; the returned function takes that back. */
function abortAfter(ms: number, controller: AbortController, toReason: () => Error): () => void {
  const timer = setTimeout(() => controller.abort(toReason()), ms);
  return () => clearTimeout(timer);
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

export function openBoundedReads(options: BoundedReadsOptions = {}): AnswerRead {
  const { loads = LOADS, waiting = WAITING, waitMs = WAIT_MS } = options;
  const unsent = new QueueBounds(options.unsent ?? UNSENT);
  const toPool = ({ inAll, perCaller }: LoadLimits): SlotPool =>
    new SlotPool(inAll, { perCaller, bounds: new QueueBounds(waiting) });
  const pools: Readonly<Record<Load, SlotPool>> = {
    page: toPool(loads.page),
    render: toPool(loads.render),
    whole: toPool(loads.whole),
    folder: toPool(loads.folder),
    file: toPool(loads.file),
  };

  /** Aborts when the answer has been sent or its reader has left. */
  function watch(caller: string, pool: SlotPool, outgoing: ServerResponse): AbortController {
    const controller = new AbortController();
    const leave = unsent.enter(caller, () => ({ seconds: pool.secondsUntilTurn(caller), pace: '' }));
    const onClose = (): void => {
      leave();
      controller.abort();
    };
    if (outgoing.destroyed) onClose();
    // A pipeline needs nearly as many listeners as Node takes for no leak.
    else outgoing.setMaxListeners(outgoing.getMaxListeners() + 1).once('close', onClose);
    return controller;
  }

  return async (load, caller, outgoing, work) => {
    const pool = pools[load];
    const controller = watch(caller, pool, outgoing);
    const { signal } = controller;
    const { limitMs } = loads[load];
    try {
      const stopWaiting = abortAfter(waitMs, controller, () => toWaitedTooLong(waitMs, pool.secondsUntilTurn(caller)));
      const turn = await pool.enter(caller, signal).finally(stopWaiting);
      const stopLimit = limitMs === null ? null : abortAfter(limitMs, controller, () => toTooLong(limitMs));
      const aborted = rejectOnAbort(signal);
      // It has its place until it ends, also where nobody waits for it any more.
      const done = (async () => work(signal))().finally(() => {
        stopLimit?.();
        turn.complete();
        turn.end();
      });
      return await Promise.race([done, aborted]);
    } catch (error) {
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      throw signal.aborted ? signal.reason : error;
    }
  };
}
