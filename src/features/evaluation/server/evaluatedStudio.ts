// The studio with what default evaluations say of its runs, and the runs that they have not measured yet.
import { sql, type SQL } from 'drizzle-orm';
import type { Job, JobExperiment } from '#core/contract/job.ts';
import { toEvaluationMeasure } from '#features/evaluation/shared/evaluationMeasure.ts';
import { toTreeChange, type ProjectNode } from '#core/contract/tree.ts';
import type { Rate } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { findJoined, toCurvesVersion, type Runs } from '#features/runs/server/runs.ts';
import type { RunCurve } from '#features/runs/shared/runs.ts';
import { parseTriedId, toExperimentKey } from '#features/training/shared/trainedModelIds.ts';
import type { Database, Orm } from '#service/database/database.ts';

async function query<Row>(orm: Orm, statement: SQL): Promise<readonly Row[]> {
  return ((await orm.execute(statement)) as unknown as { readonly rows: readonly Row[] }).rows;
}

/** The score of a model by the default evaluation of a dataset. */
interface DefaultScore {
  readonly dataset_id: string;
  readonly name: string;
  readonly model: string;
  readonly rate: Rate & { readonly rate: number };
}

/**
 * The pass rates of models by default evaluations, from the newest run of each. Only runs count that asked and judged what the
 * evaluation asks and judges now: others measured something else. `which`: evaluations `e`.
 */
const readScores = (orm: Orm, which: SQL): Promise<readonly DefaultScore[]> =>
  query<DefaultScore>(
    orm,
    sql`select distinct on (e.id, m.model) e.dataset_id, e.name, m.model, m.rate
      from studio.evaluations e
      join studio.evaluation_runs r on r.evaluation_id = e.id and r.status = 'completed'
      join studio.evaluation_run_models m on m.run_id = r.id
      join studio.evaluation_versions now on now.evaluation_id = e.id and now.version = e.version
      join studio.evaluation_versions asked on asked.evaluation_id = e.id and asked.version = r.version
      join studio.evaluation_versions judged on judged.evaluation_id = e.id and judged.version = r.checks_version
      where e.is_default and ${which} and m.rate ->> 'rate' is not null
        and asked.row_set_id = now.row_set_id and asked.settings = now.settings and judged.checks = now.checks
        and asked.prompt is not distinct from now.prompt and asked.system is not distinct from now.system
      order by e.id, m.model, r.number desc`,
  );

const ofJob = (jobId: string): SQL =>
  sql`e.dataset_id = (select s.dataset_id from studio.jobs j join studio.snapshots s on s.id = j.snapshot_id
    where j.id = ${jobId}::uuid)`;

interface RunDataset {
  readonly id: string;
  readonly dataset_id: string;
}

const readDatasets = (orm: Orm, runIds: readonly string[]): Promise<readonly RunDataset[]> =>
  query<RunDataset>(
    orm,
    sql`select x.id, s.dataset_id from studio.experiments x join studio.jobs j on j.id = x.job_id
      join studio.snapshots s on s.id = j.snapshot_id where x.id in ${[...runIds]}`,
  );

/** The curves of each run's checkpoints, by the default evaluation of its dataset. */
async function readCheckpointCurves(orm: Orm, runIds: readonly string[]): Promise<readonly RunCurve[]> {
  const datasets = await readDatasets(orm, runIds);
  if (datasets.length === 0) return [];
  const among = [...new Set(datasets.map(({ dataset_id }) => dataset_id))];
  const scores = await readScores(orm, sql`e.dataset_id in ${among}`);
  return datasets.flatMap(({ id, dataset_id }) =>
    toCheckpointCurves(
      id,
      scores.filter((score) => score.dataset_id === dataset_id),
    ),
  );
}

function withRates(experiment: JobExperiment, rates: ReadonlyMap<string, DefaultScore>): JobExperiment {
  const own = experiment.model_id === undefined ? undefined : rates.get(experiment.model_id);
  const base = experiment.base_model_id === undefined ? undefined : rates.get(experiment.base_model_id);
  const toField = ({ name, rate: { rate } }: DefaultScore) => ({ [toEvaluationMeasure(name)]: rate });
  return {
    ...experiment,
    ...(own && { held_out: { ...experiment.held_out, ...toField(own) } }),
    ...(own && base && { held_out_base: { ...experiment.held_out_base, ...toField(base) } }),
  };
}

/** Adds scores to the runs of a tree. Parts without scores stay the same objects. */
function toScoredTree(scores: readonly DefaultScore[]): (project: ProjectNode) => ProjectNode {
  if (scores.length === 0) return (project) => project;
  const byModel = new Map(scores.map((score) => [`${score.dataset_id} ${score.model}`, score]));
  return toTreeChange((node, dataset) => {
    if (node.type === 'project' || !dataset || !('model_id' in node.metadata)) return node;
    const found = byModel.get(`${dataset.id} ${node.metadata.model_id ?? ''}`);
    if (!found) return node;
    const { name, rate } = found;
    const score = {
      evaluation: name,
      passed: rate.passed,
      total: rate.total,
      rate: rate.rate,
      low: rate.low,
      high: rate.high,
    };
    return { ...node, metadata: { ...node.metadata, score } };
  });
}

/** Trees that are asked for at the same time, and soon after, are scored by one reading. */
const FRESH_MS = 2_000;
/** Projects whose scores are kept. */
const MAX_PROJECTS = 4;

interface ProjectScores {
  readonly mark: string;
  readonly addScores: (project: ProjectNode) => ProjectNode;
}

interface KnownScores {
  readonly readAt: number;
  readonly scores: Promise<ProjectScores>;
}

/** Runs have the score of their dataset's default evaluation in the tree and among their measures. */
export function toEvaluatedStudio(studio: Studio, { orm, guard }: Pick<Database, 'orm' | 'guard'>): Studio {
  const known = new Map<string, KnownScores>();
  async function read(id: string, before: Promise<ProjectScores> | undefined): Promise<ProjectScores> {
    const scores = await guard(() => readScores(orm, sql`e.project_id = ${id}::uuid`));
    const mark = JSON.stringify(scores);
    const last = await before?.catch(() => null);
    return last?.mark === mark ? last : { mark, addScores: toScoredTree(scores) };
  }
  function findScores(id: string): Promise<ProjectScores> {
    const last = known.get(id);
    const now = performance.now();
    if (last && now - last.readAt < FRESH_MS) return last.scores;
    const next = { readAt: now, scores: read(id, last?.scores) };
    known.delete(id);
    known.set(id, next);
    for (const oldest of [...known.keys()].slice(0, -MAX_PROJECTS)) known.delete(oldest);
    next.scores.catch(() => {
      if (known.get(id) === next) known.delete(id);
    });
    return next.scores;
  }
  return {
    ...studio,
    async findProject(id): Promise<ProjectNode | null> {
      const project = await studio.findProject(id);
      return project && (await findScores(project.id)).addScores(project);
    },
    async findJob(id): Promise<Job | null> {
      const job = await studio.findJob(id);
      if (job === null) return null;
      const rates = new Map((await guard(() => readScores(orm, ofJob(job.id)))).map((each) => [each.model, each]));
      return rates.size === 0
        ? job
        : { ...job, experiments: job.experiments.map((experiment) => withRates(experiment, rates)) };
    },
  };
}

/** Curves of runs have those of their checkpoints' scores: a point for each checkpoint that the default evaluation has asked. */
export function toEvaluatedRuns(runs: Runs, { orm, guard }: Pick<Database, 'orm' | 'guard'>): Runs {
  return {
    ...runs,
    async findCurves({ version, ...request }, signal) {
      const own = await guard(() => readCheckpointCurves(orm, request.runs));
      if (own.length === 0) return runs.findCurves(version === undefined ? request : { ...request, version }, signal);
      const others = await findJoined(toCurvesVersion(JSON.stringify(own)), version, (known) =>
        runs.findCurves(known === undefined ? request : { ...request, version: known }, signal),
      );
      if (others === null) return null;
      const names = [...new Set(own.map(({ name }) => name))].map((name) => ({
        name,
        runs: own.filter((curve) => curve.name === name).length,
      }));
      return {
        version: others.version,
        curves: [...others.curves, ...own.filter(({ name }) => request.names.includes(name))],
        names: [...others.names, ...names],
      };
    },
  };
}

/** The scores of a run's checkpoints over their steps, a curve for each evaluation. */
function toCheckpointCurves(run_id: string, scores: readonly DefaultScore[]): readonly RunCurve[] {
  const key = toExperimentKey(run_id);
  const points = scores.flatMap(({ name, model, rate: { rate } }) => {
    const tried = parseTriedId(model);
    return tried?.experimentKey === key ? [{ name: toEvaluationMeasure(name), step: tried.step, rate }] : [];
  });
  return [...new Set(points.map(({ name }) => name))].map((name) => {
    const own = points.filter((point) => point.name === name).toSorted((a, b) => a.step - b.step);
    return {
      run_id,
      name,
      length: own.length,
      steps: own.map(({ step }) => step),
      values: own.map(({ rate }) => rate),
    };
  });
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
