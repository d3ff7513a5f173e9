// Cancels a whole job in one pass, however many runs it has.
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { experiments, jobs } from '#service/database/tables.ts';
import { settleJob, toEnded } from './jobStates.ts';
import { TrainingProblem } from './trainer.ts';
import { trainings } from './trainingTables.ts';

const listRuns = (orm: Orm, condition: SQL | undefined) =>
  orm.select({ id: experiments.id }).from(experiments).where(condition);

/** For a change of several runs of a job: in the order in which whoever takes a run locks its rows. */
export async function lockRuns(orm: Orm, jobId: string): Promise<void> {
  await orm
    .select({ id: trainings.experiment_id })
    .from(trainings)
    .where(inArray(trainings.experiment_id, listRuns(orm, eq(experiments.job_id, jobId))))
    .orderBy(trainings.experiment_id)
    .for('update');
}

/**
 * Ends the runs that wait, and asks the processes of the others to end theirs. Resolves to those that have ended and had begun
 * once, whose files are left; null: there is no such job. Throws TrainingProblem 409 if none of its runs goes on.
 */
export async function cancelJob(outer: Orm, jobId: string, now: Date): Promise<readonly string[] | null> {
  return outer.transaction(async (orm) => {
    const [job] = await orm
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, jobId), isNull(jobs.deleted_at)));
    if (!job) return null;
    const isOf = (...statuses: readonly (typeof experiments.$inferSelect)['status'][]) =>
      and(eq(experiments.job_id, jobId), isNull(experiments.deleted_at), inArray(experiments.status, [...statuses]));
    await lockRuns(orm, jobId);
    const stopped = await orm
      .update(experiments)
      .set({ status: 'stopped', failure: null })
      .where(isOf('pending', 'queued'))
      .returning({ id: experiments.id });
    const ids = stopped.map(({ id }) => id);
    const ended =
      ids.length === 0
        ? []
        : await orm
            .update(trainings)
            .set({
              ...toEnded(now),
              can_resume: false,
              reason: sql`case when ${trainings.step} = 0 then 'Cancelled before it began.'
                else 'Cancelled by a person at step ' || ${trainings.step} || '.' end`,
            })
            .where(inArray(trainings.experiment_id, ids))
            .returning({ id: trainings.experiment_id, started_at: trainings.started_at });
    const asked = await orm
      .update(trainings)
      .set({ wish: 'cancel' })
      .where(inArray(trainings.experiment_id, listRuns(orm, isOf('running', 'deploying'))))
      .returning({ id: trainings.experiment_id });
    if (ids.length + asked.length === 0)
      throw new TrainingProblem(409, `Job ${jobId} is ${job.status}: none of its runs goes on.`, 'not_active', 'jobId');
    await settleJob(orm, jobId);
    return ended.flatMap(({ id, started_at }) => (started_at === null ? [] : [id]));
  });
}
