// Reads a fine-tuning job with its experiments: their hyperparameters and results.
import { asc, eq } from 'drizzle-orm';
import { MAX_LOSS_POINTS, type Job, type JobExperiment } from '#shared/contract/job.ts';
import { isSucceeded } from '#shared/contract/statuses.ts';
import type { Orm } from './database.ts';
import { thinLosses } from './losses.ts';
import { experiments, jobs } from './tables.ts';

type ExperimentRow = typeof experiments.$inferSelect;

/** The results of an experiment. A field without a value is undefined, which JSON leaves out. */
function toResults({
  status,
  model_id,
  failure,
  steps,
  seconds,
  first_loss,
  last_loss,
  held_out,
  losses,
}: ExperimentRow) {
  const { rows: held_out_rows, ...shares } = held_out ?? {};
  return {
    model_id: (isSucceeded(status) ? model_id : null) ?? undefined,
    failure: failure ?? undefined,
    steps: steps ?? undefined,
    seconds: seconds ?? undefined,
    first_loss: first_loss ?? undefined,
    last_loss: last_loss ?? undefined,
    held_out_rows,
    held_out: held_out ? shares : undefined,
    losses: losses
      ? [
          ...thinLosses(
            losses.map(([step, loss]) => ({ step, loss })),
            MAX_LOSS_POINTS,
          ),
        ]
      : undefined,
  };
}

function toExperiment(row: ExperimentRow): JobExperiment {
  const { id, experiment_number, base_model_id, batch_size, learning_rate_multiplier, n_epochs, lora, status } = row;
  return {
    id,
    experiment_number,
    base_model_id,
    batch_size,
    learning_rate_multiplier,
    n_epochs,
    lora,
    status,
    ...toResults(row),
  };
}

/** The job by its id; null when there is none. */
export async function findJob(orm: Orm, jobId: string): Promise<Job | null> {
  const [job] = await orm.select().from(jobs).where(eq(jobs.id, jobId));
  if (!job) return null;
  const rows = await orm
    .select()
    .from(experiments)
    .where(eq(experiments.job_id, jobId))
    .orderBy(asc(experiments.experiment_number));
  return {
    id: job.id,
    name: job.label,
    snapshot_id: job.snapshot_id,
    status: job.status,
    experiments: rows.map(toExperiment),
  };
}
