// Reads a fine-tuning job with its experiments: their hyperparameters and results. Keeps the measure they are compared by.
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { MAX_LOSS_POINTS, type Job, type JobExperiment } from '#core/contract/job.ts';
import { EXPERIMENT_STATUSES, isSucceeded } from '#core/contract/statuses.ts';
import type { Orm } from '#service/database/database.ts';
import { readEvaluationMeasure } from '#features/evaluation/shared/evaluationMeasure.ts';
import { thin } from '#features/runs/shared/settings/downsampleCurve.ts';
import { toOwnCause } from '#features/projects/server/statusCause.ts';
import {
  datasets,
  experiments,
  jobs,
  notDeleted,
  projects,
  recommendations,
  snapshots,
} from '#service/database/tables.ts';

const SUCCEEDED = EXPERIMENT_STATUSES.filter(isSucceeded);

type ExperimentRow = typeof experiments.$inferSelect;

/** Losses of many steps are thinned; null: not a finite number. */
function toSent(losses: NonNullable<ExperimentRow['losses']>): JobExperiment['losses'] {
  const values = losses.map(([, loss]) => loss ?? Number.NaN);
  return thin({ length: values.length, values }, { limit: MAX_LOSS_POINTS }).flatMap((at) => {
    const [step, loss = null] = losses[at] ?? [];
    return step === undefined ? [] : [{ step, loss }];
  });
}

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
  held_out_base,
  settings,
  losses,
}: ExperimentRow) {
  const { rows: held_out_rows, ...measures } = held_out ?? {};
  const { rows: _rows, ...baseMeasures } = held_out_base ?? {};
  const { parity: _parity, ...told } = settings ?? {};
  return {
    // First: settings may have come from elsewhere, and stand for none of the fields below.
    ...told,
    model_id: (isSucceeded(status) ? model_id : null) ?? undefined,
    status_cause: toOwnCause(status, failure) ?? undefined,
    failure: failure ?? undefined,
    steps: steps ?? undefined,
    seconds: seconds ?? undefined,
    first_loss: first_loss ?? undefined,
    last_loss: last_loss ?? undefined,
    held_out_rows,
    held_out: held_out ? measures : undefined,
    held_out_base: held_out_base ? baseMeasures : undefined,
    losses: losses ? toSent(losses) : undefined,
  };
}

function toExperiment(row: ExperimentRow): JobExperiment {
  const { id, experiment_number, base_model_id, batch_size, learning_rate_multiplier, n_epochs, lora, status } = row;
  return {
    ...toResults(row),
    id,
    experiment_number,
    base_model_id,
    batch_size,
    learning_rate_multiplier,
    n_epochs,
    lora,
    training_type: lora ? 'lora' : 'full',
    status,
  };
}

/** Whether the dataset's default evaluation gives the measure. */
async function isOfEvaluation(orm: Orm, datasetId: string, measure: string): Promise<boolean> {
  const name = readEvaluationMeasure(measure);
  if (name === null) return false;
  const { rows } = (await orm.execute(
    sql`select id from studio.evaluations where dataset_id = ${datasetId} and is_default and name = ${name}`,
  )) as unknown as { readonly rows: readonly unknown[] };
  return rows.length > 0;
}

/**
 * Compares the runs of a dataset by this measure from now on; null: by the one that fits its answers. The
 * recommendations of its snapshots are computed again when they are next requested. `unknown`: no run of the dataset
 * has the measure. null when there is no such dataset.
 */
export async function chooseMainMeasure(
  orm: Orm,
  datasetId: string,
  measure: string | null,
): Promise<'chosen' | 'unknown' | null> {
  return orm.transaction(async (transaction) => {
    const [dataset] = await transaction
      .select({ id: datasets.id })
      .from(datasets)
      .innerJoin(projects, eq(datasets.project_id, projects.id))
      .where(and(eq(datasets.id, datasetId), notDeleted(datasets, projects)));
    if (!dataset) return null;
    const own = transaction.select({ id: snapshots.id }).from(snapshots).where(eq(snapshots.dataset_id, datasetId));
    if (measure !== null) {
      const [run] = await transaction
        .select({ id: experiments.id })
        .from(experiments)
        .innerJoin(jobs, eq(experiments.job_id, jobs.id))
        .where(
          and(
            inArray(jobs.snapshot_id, own),
            inArray(experiments.status, SUCCEEDED),
            sql`${experiments.held_out} ->> ${measure} is not null`,
          ),
        )
        .limit(1);
      if ((!run && !(await isOfEvaluation(transaction, datasetId, measure))) || measure === 'rows') return 'unknown';
    }
    await transaction.update(datasets).set({ main_measure: measure }).where(eq(datasets.id, datasetId));
    await transaction.delete(recommendations).where(inArray(recommendations.snapshot_id, own));
    return 'chosen';
  });
}

/** The job by its id; null when there is none. */
export async function findJob(orm: Orm, jobId: string): Promise<Job | null> {
  const [found] = await orm
    .select({ job: jobs, answer_shape: snapshots.answer_shape, main_measure: datasets.main_measure })
    .from(jobs)
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(eq(jobs.id, jobId), notDeleted(jobs, snapshots, datasets, projects)));
  if (!found) return null;
  const { job, answer_shape, main_measure } = found;
  const rows = await orm
    .select()
    .from(experiments)
    .where(and(eq(experiments.job_id, jobId), isNull(experiments.deleted_at)))
    .orderBy(asc(experiments.experiment_number));
  return {
    id: job.id,
    name: job.label,
    snapshot_id: job.snapshot_id,
    status: job.status,
    answer_shape: answer_shape ?? undefined,
    main_measure: main_measure ?? undefined,
    experiments: rows.map(toExperiment),
  };
}
