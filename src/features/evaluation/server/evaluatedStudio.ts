// The studio with what default evaluations say of its runs, and the runs that they have not measured yet.
import { sql } from 'drizzle-orm';
import type { Job, JobExperiment } from '#core/contract/job.ts';
import { toEvaluationMeasure } from '#features/evaluation/shared/evaluationMeasure.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Database, Orm } from '#service/database/database.ts';

async function query<Row>(orm: Orm, statement: ReturnType<typeof sql>): Promise<readonly Row[]> {
  return ((await orm.execute(statement)) as unknown as { readonly rows: readonly Row[] }).rows;
}

interface ModelRate {
  readonly name: string;
  readonly model: string;
  readonly rate: number;
}

/**
 * The pass rates of models by the default evaluation of a job's dataset, from the newest run of each. Only runs count that
 * asked and judged what the evaluation asks and judges now: others measured something else.
 */
const readRates = (orm: Orm, jobId: string): Promise<readonly ModelRate[]> =>
  query<ModelRate>(
    orm,
    sql`select distinct on (m.model) e.name, m.model, (m.rate ->> 'rate')::double precision as rate
      from studio.jobs j
      join studio.snapshots s on s.id = j.snapshot_id
      join studio.evaluations e on e.dataset_id = s.dataset_id and e.is_default
      join studio.evaluation_runs r on r.evaluation_id = e.id and r.status = 'completed'
      join studio.evaluation_run_models m on m.run_id = r.id
      join studio.evaluation_versions now on now.evaluation_id = e.id and now.version = e.version
      join studio.evaluation_versions asked on asked.evaluation_id = e.id and asked.version = r.version
      join studio.evaluation_versions judged on judged.evaluation_id = e.id and judged.version = r.checks_version
      where j.id = ${jobId}::uuid and m.rate ->> 'rate' is not null
        and asked.row_set_id = now.row_set_id and asked.settings = now.settings and judged.checks = now.checks
        and asked.prompt is not distinct from now.prompt and asked.system is not distinct from now.system
      order by m.model, r.number desc`,
  );

function withRates(experiment: JobExperiment, rates: ReadonlyMap<string, ModelRate>): JobExperiment {
  const own = experiment.model_id === undefined ? undefined : rates.get(experiment.model_id);
  const base = experiment.base_model_id === undefined ? undefined : rates.get(experiment.base_model_id);
  const toField = ({ name, rate }: ModelRate) => ({ [toEvaluationMeasure(name)]: rate });
  return {
    ...experiment,
    ...(own && { held_out: { ...experiment.held_out, ...toField(own) } }),
    ...(own && base && { held_out_base: { ...experiment.held_out_base, ...toField(base) } }),
  };
}

/** Runs have the score of their dataset's default evaluation among their measures. */
export function toEvaluatedStudio(studio: Studio, { orm, guard }: Pick<Database, 'orm' | 'guard'>): Studio {
  return {
    ...studio,
    async findJob(id): Promise<Job | null> {
      const job = await studio.findJob(id);
      if (job === null) return null;
      const rates = new Map((await guard(() => readRates(orm, job.id))).map((each) => [each.model, each]));
      return rates.size === 0
        ? job
        : { ...job, experiments: job.experiments.map((experiment) => withRates(experiment, rates)) };
    },
  };
}

export interface Unmeasured {
  readonly evaluation_id: string;
  readonly experiment_id: string;
  readonly model_id: string;
}

/**
 * A run of this studio that succeeded within a day and that the default evaluation of its dataset has not measured. null: none,
 * or something trains, or an evaluation goes on: these come first.
 */
export async function findUnmeasured(orm: Orm): Promise<Unmeasured | null> {
  const [found] = await query<Unmeasured>(
    orm,
    sql`select v.id as evaluation_id, e.id as experiment_id, e.model_id
      from studio.experiments e
      join studio.trainings t on t.experiment_id = e.id
      join studio.jobs j on j.id = e.job_id and j.deleted_at is null
      join studio.snapshots s on s.id = j.snapshot_id and s.deleted_at is null
      join studio.datasets d on d.id = s.dataset_id and d.deleted_at is null
      join studio.projects p on p.id = d.project_id and p.deleted_at is null
      join studio.evaluations v on v.dataset_id = d.id and v.is_default
      where e.status = 'succeeded' and e.model_id is not null and e.deleted_at is null
        and t.ended_at > v.created_at and t.ended_at > now() - interval '1 day'
        and not exists (select 1 from studio.evaluation_runs r where r.evaluation_id = v.id and r.experiment_id = e.id)
        and not exists (select 1 from studio.evaluation_runs r where r.status in ('queued', 'running', 'waiting')
          and r.queued_at <= now())
        and not exists (select 1 from studio.experiments o where o.status in ('running', 'deploying'))
      order by t.ended_at, e.id limit 1`,
  );
  return found ?? null;
}
