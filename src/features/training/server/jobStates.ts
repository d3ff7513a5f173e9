// The states of experiments and jobs, and how one becomes another. A job's status follows from those of its experiments.
import { and, eq, inArray, sql } from 'drizzle-orm';
import {
  EXPERIMENT_STATUSES,
  isActiveStatus,
  toJobStatus,
  toStatusMeaning,
  type ExperimentStatus,
} from '#core/contract/statuses.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, jobs, recommendations } from '#service/database/tables.ts';
import { trainings } from './trainingTables.ts';

const ACTIVE = EXPERIMENT_STATUSES.filter(isActiveStatus);

/**
 * Makes the status of a job agree with its experiments. Once it has ended, what was recommended for its snapshot
 * before is gone: the next to ask gets a recommendation that knows its runs.
 */
export async function settleJob(orm: Orm, jobId: string): Promise<void> {
  const rows = await orm.select({ status: experiments.status }).from(experiments).where(eq(experiments.job_id, jobId));
  const status = toJobStatus(rows.map((row) => row.status));
  const [changed] = await orm
    .update(jobs)
    .set({ status })
    .where(and(eq(jobs.id, jobId), sql`${jobs.status} <> ${status}`))
    .returning({ snapshot_id: jobs.snapshot_id });
  if (changed && status !== 'processing')
    await orm.delete(recommendations).where(eq(recommendations.snapshot_id, changed.snapshot_id));
}

export type Results = Partial<
  Omit<typeof experiments.$inferInsert, 'id' | 'job_id' | 'status' | 'experiment_number' | 'label'>
>;

export interface Change {
  readonly status: ExperimentStatus;
  /** Why; null: nothing to add. */
  readonly reason: string | null;
  readonly results?: Results;
  readonly training?: Partial<Omit<typeof trainings.$inferInsert, keyof typeof NOT_ENDED>>;
}

/** What a training has once it has ended: it waits for nothing, and its end is to be told. */
export const toEnded = (now: Date) => ({
  position: null,
  wish: null,
  seconds_left: null,
  ended_at: now,
  untold: 0,
  tell_at: null,
});
const NOT_ENDED = { ended_at: null, untold: null };

/**
 * Gives an experiment another status at `now`, with its job, if it still has one of the statuses `from` (by default: if it has
 * not ended). false: it has not. Inside of a transaction of the caller.
 */
export async function changeStatus(
  orm: Orm,
  experimentId: string,
  { status, reason, results = {}, training = {} }: Change,
  now: Date,
  from: readonly ExperimentStatus[] = ACTIVE,
): Promise<boolean> {
  const isBad = toStatusMeaning(status) === 'bad';
  const [changed] = await orm
    .update(experiments)
    .set({ ...results, status, failure: isBad ? reason : null })
    .where(and(eq(experiments.id, experimentId), inArray(experiments.status, [...from])))
    .returning({ job_id: experiments.job_id });
  if (!changed) return false;
  await orm
    .update(trainings)
    .set({ reason, ...training, ...(isActiveStatus(status) ? NOT_ENDED : toEnded(now)) })
    .where(eq(trainings.experiment_id, experimentId));
  await settleJob(orm, changed.job_id);
  return true;
}
