// Questions to the process that reads roots. If it ends by itself, that is said, and it is started again.
import { openProcess, type Isolated, type IsolatedEnd } from '#service/threads/isolated.ts';
import { openAsks, type Asks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import { inTime } from '#service/files/timeout.ts';
import { PLACE_ENV } from '#service/files/mountCalls.ts';
import { RunsUnavailable } from './runs.ts';
import type { RunsCore } from './runsMessages.ts';

export interface RunsLink {
  /** Rejects with RunsUnavailable while the process is away or takes too long, and with Error for a defect. */
  readonly ask: Asks<RunsCore>['ask'];
  close(): Promise<void>;
}

type OpenProcess = (onReply: (reply: Reply) => void) => Isolated<Question>;

export interface LinkOptions {
  readonly open?: OpenProcess | undefined;
  /** Called for each new process, before any other question. */
  readonly onStart: (ask: RunsLink['ask']) => void;
  readonly report: (line: string) => void;
  /** Milliseconds that an answer may take. */
  readonly longest?: number | undefined;
}

const MAX_MEMORY_MB = 4096;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A process that lived so long did not fail at its start. */
const STEADY_MS = 60_000;
/** Completions may take half of it. A network mount that hangs would take for ever. */
const LONGEST_MS = 60_000;

/** No thread: a call that hangs for ever would keep one of the service's own, and the service from ending. */
const openRunsProcess: OpenProcess = (onMessage) =>
  openProcess({
    entry: new URL('./runsEntry.ts', import.meta.url),
    memoryMb: MAX_MEMORY_MB,
    env: PLACE_ENV,
    onMessage,
  });

/** The process starts with the first question. */
export function openRunsLink({ open = openRunsProcess, onStart, report, longest = LONGEST_MS }: LinkOptions): RunsLink {
  let asks: Asks<RunsCore> | null = null;
  let waitMs = FIRST_WAIT_MS;
  let isWaiting = false;
  let isClosed = false;

  const toUnavailable = (): RunsUnavailable =>
    new RunsUnavailable(
      isClosed
        ? 'The studio is shutting down. Ask again when it is back.'
        : 'The part of the studio that reads the folders of runs is being started again. Ask again in some seconds.',
    );

  function onEnd({ error }: IsolatedEnd, startedAt: number): void {
    if (isClosed) return;
    asks = null;
    isWaiting = true;
    if (performance.now() - startedAt > STEADY_MS) waitMs = FIRST_WAIT_MS;
    report(
      `The process that reads the folders of runs has failed and is started again: ${error?.stack ?? 'It ended.'}`,
    );
    setTimeout(() => {
      isWaiting = false;
      if (!isClosed) start();
    }, waitMs).unref();
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }

  function start(): Asks<RunsCore> {
    const startedAt = performance.now();
    const started = openAsks<RunsCore>(open, { toError: toUnavailable, onEnd: (end) => onEnd(end, startedAt) });
    asks = started;
    onStart(ask);
    return started;
  }

  const toLate = (): RunsUnavailable =>
    new RunsUnavailable(
      `The folders of runs gave no answer within ${longest / 1000} s. A disk or a network mount may hang: check them, or ` +
        'remove the folder, and ask again.',
    );

  const ask: RunsLink['ask'] = (method, ...given) => {
    if (isClosed || isWaiting) return Promise.reject(toUnavailable());
    return inTime((asks ?? start()).ask(method, ...given), longest, toLate);
  };

  return {
    ask,
    async close() {
      isClosed = true;
      // Nothing is written, so nothing can be cut off.
      await asks?.isolated.end();
    },
  };
}
