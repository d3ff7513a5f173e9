// Runs jobs in a worker, one after the other, with a time limit for each. A slow job is terminated with its worker, and
// the next one runs in a new worker. Callers pass worker and timer.

/** Replies of a worker: first that it is ready, then a result for each job, in order. */
export type WorkerReply<Result> = { readonly kind: 'ready' } | { readonly kind: 'result'; readonly result: Result };

interface WorkerPort<Job> {
  readonly send: (jobs: readonly Job[]) => void;
  readonly close: () => void;
}

type OpenWorker<Job, Result> = (
  onReply: (reply: WorkerReply<Result>) => void,
  onError: (message: string) => void,
) => WorkerPort<Job>;

/** Calls back after `ms`; returns a function that cancels. */
type Later = (ms: number, callback: () => void) => () => void;

/** `broken`: there is no worker, with the reason. */
export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'slow' }
  | { readonly kind: 'broken'; readonly message: string };

export interface TimedWorkerDeps<Job, Result> {
  readonly openWorker: OpenWorker<Job, Result>;
  /** Default: a timer. */
  readonly later?: Later;
  readonly jobMs: number;
  /** After this many slow jobs no more are tried. */
  readonly maxSlow: number;
}

export interface TimedWorker<Job, Result> {
  /** One batch at a time. `onOutcome` gets each outcome at once. */
  readonly run: (
    jobs: readonly Job[],
    onOutcome?: (outcome: Outcome<Result>) => void,
  ) => Promise<readonly Outcome<Result>[]>;
  readonly close: () => void;
}

/** Loading the worker's code doesn't count as job time. */
const START_MS = 20_000;

const later: Later = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Opens workers of a browser. */
export const workerOpener =
  <Job, Result>(start: () => Worker): OpenWorker<Job, Result> =>
  (onReply, onError) => {
    const worker = start();
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply<Result>>) => onReply(data));
    worker.addEventListener('error', (event) =>
      onError(event.message === '' ? 'its code could not be loaded.' : event.message),
    );
    return { send: (jobs) => worker.postMessage(jobs, { transfer: [] }), close: () => worker.terminate() };
  };

/**
 * What the code of a worker does: one reply for each job, in order. `prepare`: loads what the first jobs need, which is no job time. If
 * it throws, the page hears of an error.
 */
export function serveJobs<Job, Result>(
  toResult: (job: Job) => Result,
  prepare?: (jobs: readonly Job[]) => Promise<void>,
): void {
  const reply = (message: WorkerReply<Result>): void => self.postMessage(message, { transfer: [] });
  const serve = (jobs: readonly Job[]): void => {
    for (const job of jobs) reply({ kind: 'result', result: toResult(job) });
  };
  let ready: Promise<void> | null = null;
  self.addEventListener('message', ({ data }: MessageEvent<readonly Job[]>) => {
    if (!prepare) return serve(data);
    ready ??= prepare(data).then(
      () => reply({ kind: 'ready' }),
      (error: unknown) => self.reportError(error),
    );
    void ready.then(() => serve(data));
  });
  if (!prepare) reply({ kind: 'ready' });
}

export function openTimedWorker<Job, Result>({
  openWorker,
  later: callLater = later,
  jobMs,
  maxSlow,
}: TimedWorkerDeps<Job, Result>): TimedWorker<Job, Result> {
  let port: WorkerPort<Job> | null = null;
  let isReady = false;
  let slow = 0;
  let broken: string | null = null;
  let callOff = (): void => undefined;
  let onReply: (reply: WorkerReply<Result>) => void = () => undefined;
  let onProblem: (problem: 'slow' | 'broken') => void = () => undefined;

  function watch(ms: number, problem: 'slow' | 'broken'): void {
    callOff();
    callOff = callLater(ms, () => onProblem(problem));
  }

  function close(): void {
    callOff();
    port?.close();
    port = null;
    isReady = false;
  }

  function open(): WorkerPort<Job> {
    if (port) return port;
    const opened = openWorker(
      (reply) => opened === port && onReply(reply),
      (message) => {
        if (opened !== port) return;
        broken = message;
        onProblem('broken');
      },
    );
    port = opened;
    return opened;
  }

  function run(
    jobs: readonly Job[],
    onOutcome?: (outcome: Outcome<Result>) => void,
  ): Promise<readonly Outcome<Result>[]> {
    return new Promise((resolve) => {
      const outcomes: Outcome<Result>[] = [];
      const add = (outcome: Outcome<Result>): void => {
        outcomes.push(outcome);
        onOutcome?.(outcome);
      };
      const finish = (): void => {
        callOff();
        resolve(outcomes);
      };
      const start = (): void => {
        if (broken !== null || slow >= maxSlow) {
          while (outcomes.length < jobs.length)
            add(broken === null ? { kind: 'slow' } : { kind: 'broken', message: broken });
        }
        if (outcomes.length === jobs.length) return finish();
        open().send(jobs.slice(outcomes.length));
        return isReady ? watch(jobMs, 'slow') : watch(START_MS, 'broken');
      };
      onReply = (reply) => {
        if (reply.kind === 'ready') isReady = true;
        else add({ kind: 'done', result: reply.result });
        if (outcomes.length === jobs.length) finish();
        else watch(jobMs, 'slow');
      };
      onProblem = (problem) => {
        close();
        if (problem === 'broken') broken ??= 'the browser did not start the worker.';
        else {
          slow += 1;
          add({ kind: 'slow' });
        }
        start();
      };
      start();
    });
  }

  return { run, close };
}
