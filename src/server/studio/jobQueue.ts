// Background jobs on the studio's own database (pg-boss): leases, retries, any number of processes.
import PgBoss from 'pg-boss';
import { toReason, type Database } from './database.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const SCHEMA = 'studio_jobs';

/** Times in seconds, as pg-boss takes them. */
const RULES = { retryLimit: 2, retryDelay: 1 } as const;
/** After this many runs a job has failed for good. */
export const MAX_ATTEMPTS = RULES.retryLimit + 1;

export interface QueueTimes {
  /** How long a job stays with a process that is silent. */
  readonly leaseSeconds: number;
  /** How often the process that runs a job renews its lease, so that a long job is not taken for a lost one. */
  readonly beatMs: number;
  /**
   * How often leases are checked on a shared database. A job whose process died runs again after at most this and a lease,
   * 25 s.
   */
  readonly maintenanceSeconds: number;
}

/** A lease is renewed five times while it lasts. pg-boss takes whole seconds. */
export const toQueueTimes = (leaseSeconds: number): QueueTimes => ({
  leaseSeconds,
  beatMs: leaseSeconds * 200,
  maintenanceSeconds: Math.ceil((leaseSeconds * 2) / 3),
});

const TIMES = toQueueTimes(15);

/** How often the queue is read for retries and for jobs of other processes. This process's own jobs start at once. */
const POLL_MS = 500;
/**
 * The same on a database of this process alone, where nobody else adds jobs or loses them: each look costs milliseconds,
 * all day. A while after this process made a job run again, it looks as often as on a shared one.
 */
const ALONE_POLL_MS = 30_000;
const ALONE_MAINTENANCE_SECONDS = 60;
const RETRY_MS = 10_000;

export interface QueuedJob {
  readonly id: string;
  readonly data: object;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
}

type JobState = 'waiting' | 'active' | 'completed' | 'failed' | 'missing';

export interface JobQueue {
  /** Begins to work on jobs, one at a time. */
  start(): void;
  /** Adds a job; adding an id twice adds it once. */
  send(id: string, data: object): Promise<void>;
  findState(id: string): Promise<JobState>;
  /** Ends the run of a job whose process has ended. The job runs again, or has failed after its last attempt. */
  interrupt(id: string, reason: string): Promise<void>;
  /** Waits for the running job, then stops. */
  close(): Promise<void>;
}

export interface JobQueueOptions {
  readonly database: Database;
  readonly name: string;
  readonly run: (job: QueuedJob) => Promise<void>;
  readonly onWarning: (text: string) => void;
  readonly times?: QueueTimes | undefined;
}

const STATES: Readonly<Record<string, JobState>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'active',
  completed: 'completed',
};

/** A pause that `wake` ends early; a wake before the pause ends it at once. */
export function openPause() {
  let isAwake = false;
  let end: (() => void) | null = null;
  return {
    wake(): void {
      isAwake = true;
      end?.();
    },
    async sleep(ms: number): Promise<void> {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isAwake = false;
      end = null;
    },
  };
}

/** The database reports by itself that it is unavailable; repeating that for each query would fill the log. */
function toReport(onWarning: (text: string) => void): (what: string, error: unknown) => void {
  return (what, error) => {
    if (!(error instanceof DatabaseUnavailable)) onWarning(`${what}: ${toReason(error)}`);
  };
}

async function openBoss(
  { database, name, onWarning, times = TIMES }: JobQueueOptions,
  closing: AbortSignal,
): Promise<PgBoss> {
  const report = toReport(onWarning);
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: [...(await database.executeSql(text, values)).rows] }) },
    schema: SCHEMA,
    schedule: false,
    maintenanceIntervalSeconds: database.isShared
      ? times.maintenanceSeconds
      : Math.max(times.maintenanceSeconds, ALONE_MAINTENANCE_SECONDS),
  });
  boss.on('error', (error) => {
    // Closing may interrupt maintenance, which does no harm.
    if (!closing.aborted) report('The job queue reported', error);
  });
  await boss.start();
  await boss.createQueue(name, { name, ...RULES, expireInSeconds: times.leaseSeconds });
  return boss;
}

/**
 * Opens the queue. The working loop is ours: pg-boss's own worker does not wait for a job's result to be written,
 * and a write after the database has been closed would end the process.
 */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { name, run, database, times = TIMES } = options;
  const report = toReport(options.onWarning);
  const closing = new AbortController();
  const boss = await openBoss(options, closing.signal);
  const pause = openPause();
  let retriesUntil = performance.now() + RETRY_MS;

  function toPauseMs(): number {
    return options.database.isShared || performance.now() < retriesUntil ? POLL_MS : ALONE_POLL_MS;
  }

  async function fail(id: string, message: string): Promise<void> {
    await boss.fail(name, id, { message });
    retriesUntil = performance.now() + RETRY_MS;
  }

  /** pg-boss counts a lease from the start of the run, and has no way to renew it. */
  const renew = (id: string): Promise<unknown> =>
    database.executeSql(
      `update ${SCHEMA}.job set started_on = now() where name = $1 and id = $2 and state = 'active'`,
      [name, id],
    );

  async function work(): Promise<'busy' | 'idle'> {
    const [job] = await boss.fetch<object>(name, { includeMetadata: true });
    if (!job) return 'idle';
    const { id, data, retryCount, retryLimit } = job;
    const beat = setInterval(() => {
      // The next beat tries again; while the database is away nobody else can take the job either.
      renew(id).catch(() => undefined);
    }, times.beatMs);
    try {
      await run({ id, data, attempt: retryCount + 1, isLastAttempt: retryCount >= retryLimit });
    } catch (error) {
      await fail(id, toReason(error));
      return 'busy';
    } finally {
      clearInterval(beat);
    }
    await boss.complete(name, id);
    return 'busy';
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      const outcome = await work().catch((error: unknown) => {
        report('A background job could not be recorded', error);
        return 'idle';
      });
      if (outcome === 'idle' && !closing.signal.aborted) await pause.sleep(toPauseMs());
    }
  }

  let looping: Promise<void> = Promise.resolve();
  return {
    start() {
      looping = loop();
    },
    async send(id, data) {
      await boss.send(name, data, { id, ...RULES, expireInSeconds: times.leaseSeconds });
      pause.wake();
    },
    async findState(id) {
      const job = await boss.getJobById(name, id, { includeArchive: true });
      return job ? (STATES[job.state] ?? 'failed') : 'missing';
    },
    async interrupt(id, reason) {
      await fail(id, reason);
      pause.wake();
    },
    async close() {
      closing.abort();
      pause.wake();
      await looping;
      await boss.stop({ graceful: false, close: false });
    },
  };
}
