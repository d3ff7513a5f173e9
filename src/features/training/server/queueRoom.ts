// How many runs may wait: of all callers, and of one.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import type { Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { TrainingProblem } from './trainer.ts';
import { trainings } from './trainingTables.ts';

/** The advisory lock of those who add runs. Any fixed number does that nobody else takes. */
const LOCK_KEY = 7_305_465;

/**
 * Inside of a transaction, others who add runs wait for its end: together they stay within the limit. `askedBy`: the name of
 * the token; null: the studio's own. Throws TrainingProblem 429.
 */
export async function checkQueueRoom(orm: Orm, added: number, askedBy: string | null): Promise<void> {
  await orm.execute(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
  const [found] = await orm
    .select({
      all: sql<number>`count(*)::integer`,
      own: sql<number>`(count(*) filter (where ${eq(trainings.asked_by, askedBy ?? '')}))::integer`,
    })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(
      and(
        inArray(experiments.status, ['pending', 'queued']),
        notDeleted(experiments, jobs, snapshots, datasets, projects),
      ),
    );
  const { all = 0, own = 0 } = found ?? {};
  const adds = `and ${added === 1 ? 'one more is' : `${added} more are`} too many`;
  const { waiting, waitingOfToken } = JOB_LIMITS;
  const refuse = (who: string, code: string): never => {
    throw new TrainingProblem(
      429,
      `${who}, ${adds}. Wait until some have been trained, cancel jobs that wait, or ask for fewer runs.`,
      code,
    );
  };
  if (all + added > waiting) refuse(`${all} of at most ${waiting} runs wait in this studio already`, 'queue_full');
  if (askedBy !== null && own + added > waitingOfToken)
    refuse(`${own} runs of ${askedBy} wait already, of at most ${waitingOfToken} for one token`, 'queue_share_full');
}
