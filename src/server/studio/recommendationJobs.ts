// Computes recommendations in the background. None stays "processing" for ever, whatever ends a process.
import { randomUUID } from 'node:crypto';
import type { Recommendation } from '#shared/contract/recommendation.ts';
import { toReason, type Database } from './database.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { MAX_ATTEMPTS, openJobQueue, type JobQueue, type QueuedJob, type QueueTimes } from './jobQueue.ts';
import {
  beginRecord,
  completeRecord,
  countAttempt,
  failRecord,
  findRecord,
  findShownRecord,
  hasSnapshot,
  listProcessing,
  replaceJob,
  restartRecord,
  toRecommendation,
  type RecommendationRecord,
} from './recommendations.ts';
import type { RecommendationBody } from './tables.ts';

/** How often records are compared with their jobs while the studio runs. */
const RECONCILE_MS = 15_000;

export interface RecommendationJobsOptions {
  readonly database: Database;
  readonly now: () => Date;
  /** Computes a recommendation from the snapshot's rows. Throws an error whose message people read. */
  readonly compute: (snapshotId: string) => Promise<RecommendationBody>;
  readonly onWarning: (text: string) => void;
  readonly times?: QueueTimes | undefined;
}

export interface RecommendationJobs {
  /** The recommendation; starts it when there is none. Null when there is no such snapshot (SPEC 4.2). */
  find(snapshotId: string): Promise<Recommendation | null>;
  /** Starts it, or starts it again once it has ended. Null when there is no such snapshot. */
  generate(snapshotId: string): Promise<Recommendation | null>;
  close(): Promise<void>;
}

function readSnapshotId(data: object): string {
  if ('snapshot_id' in data && typeof data.snapshot_id === 'string') return data.snapshot_id;
  throw new Error('The job names no snapshot.');
}

function openRunner({ database: { orm }, compute, now }: RecommendationJobsOptions) {
  return async ({ data, isLastAttempt }: QueuedJob): Promise<void> => {
    const snapshotId = readSnapshotId(data);
    const record = await findRecord(orm, snapshotId);
    // It is finished, or its snapshot was deleted: nothing to do.
    if (record?.status !== 'processing') return;
    await countAttempt(orm, snapshotId);
    try {
      await completeRecord(orm, record, await compute(snapshotId), now());
    } catch (error) {
      await failRecord(orm, record, { reason: toReason(error), isFinal: isLastAttempt, now: now() });
      throw error;
    }
  };
}

const toJobData = (record: RecommendationRecord) => ({ snapshot_id: record.snapshot_id });

/** Makes one unfinished record and its job agree again. */
async function reconcile(
  options: RecommendationJobsOptions,
  queue: JobQueue,
  record: RecommendationRecord,
): Promise<void> {
  const { orm } = options.database;
  const state = await queue.findState(record.job_id);
  if (state === 'failed') {
    const reason =
      record.error ?? `The studio stopped in each of ${MAX_ATTEMPTS} attempts to compute this recommendation.`;
    await failRecord(orm, record, { reason, isFinal: true, now: options.now() });
  } else if (state === 'missing') {
    // The process ended between writing the record and adding its job. With the same id, two processes add only one.
    await queue.send(record.job_id, toJobData(record));
  } else if (state === 'completed') {
    const jobId = randomUUID();
    if (await replaceJob(orm, record, jobId)) await queue.send(jobId, toJobData(record));
  }
}

async function reconcileAll(options: RecommendationJobsOptions, queue: JobQueue): Promise<void> {
  for (const record of await listProcessing(options.database.orm)) await reconcile(options, queue, record);
}

/** On a database that isn't shared, a job that is active when the studio opens ended with the process that ran it. */
async function interruptAll({ database }: RecommendationJobsOptions, queue: JobQueue): Promise<void> {
  if (database.isShared) return;
  for (const record of await listProcessing(database.orm)) {
    if ((await queue.findState(record.job_id)) === 'active')
      await queue.interrupt(record.job_id, 'The studio stopped.');
  }
}

/** Opens the queue, settles the records that an earlier process left unfinished, and starts to work. */
export async function openRecommendationJobs(options: RecommendationJobsOptions): Promise<RecommendationJobs> {
  const { database, now, onWarning, times } = options;
  const run = openRunner(options);
  const queue = await openJobQueue({ database, name: 'recommendations', run, onWarning, times });
  await interruptAll(options, queue);
  await reconcileAll(options, queue);
  queue.start();

  let reconciling: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    reconciling = database
      .guard(() => reconcileAll(options, queue), RECONCILE_MS)
      .catch((error: unknown) => {
        // Already reported, and checked again soon.
        if (error instanceof DatabaseUnavailable) return;
        onWarning(`Recommendations could not be checked: ${toReason(error)}`);
      });
  }, RECONCILE_MS);
  timer.unref();

  async function find(snapshotId: string): Promise<Recommendation | null> {
    const known = await findShownRecord(database.orm, snapshotId);
    if (known) return toRecommendation(known);
    const begun = await beginRecord(database.orm, { snapshotId, jobId: randomUUID(), now: now() });
    if (!begun) return null;
    if (begun.isNew) await queue.send(begun.record.job_id, toJobData(begun.record));
    return toRecommendation(begun.record);
  }

  return {
    find,
    async generate(snapshotId) {
      if (!(await hasSnapshot(database.orm, snapshotId))) return null;
      const again = await restartRecord(database.orm, { snapshotId, jobId: randomUUID(), now: now() });
      if (!again) return find(snapshotId);
      await queue.send(again.job_id, toJobData(again));
      return toRecommendation(again);
    },
    async close() {
      clearInterval(timer);
      await reconciling;
      await queue.close();
    },
  };
}
