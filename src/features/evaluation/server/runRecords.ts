// Runs of evaluations as they are read.
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { EvaluationRun, Rate, RunSummary } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { isPairJudge } from '#features/evaluation/shared/wireChecks.ts';
import type { Orm } from '#service/database/database.ts';
import { notDeleted, projects } from '#service/database/tables.ts';
import { found } from '#service/http/httpProblem.ts';
import { evaluations, runModels, runs } from './evaluationTables.ts';
import { readContent, type VersionContent } from './versions.ts';

export type RunRecord = typeof runs.$inferSelect;
export type RunModel = typeof runModels.$inferSelect;

/** A run with what it asks and how it is judged. */
export interface WholeRun {
  readonly run: RunRecord;
  readonly models: readonly RunModel[];
  /** Rows, prompt and settings. */
  readonly content: VersionContent;
  /** Those that judge. */
  readonly checks: readonly EvaluationCheck[];
}

/** How quickly a run goes on. */
export interface Pace {
  readonly perSecond: number;
}

const NO_RATE: Rate = { passed: 0, total: 0, rate: null, low: 0, high: 1, not_checked: 0, mean_score: null };

const sumOf = (models: readonly RunModel[], name: 'done' | 'failed' | 'judged'): number =>
  models.reduce((total, model) => total + model[name], 0);

/** Ids of checks that count. */
export const countingOf = (checks: readonly EvaluationCheck[]): readonly string[] =>
  checks.filter((check) => check.counts !== false && !isPairJudge(check)).map(({ id }) => id);

function toRun(run: RunRecord, models: readonly RunModel[], pace: Pace | null): EvaluationRun {
  const [done, failed] = [sumOf(models, 'done'), sumOf(models, 'failed')];
  const wanted = run.row_count * run.repeats;
  const answers = wanted * models.length;
  const perSecond = pace === null || pace.perSecond === 0 ? null : pace.perSecond;
  return {
    id: run.id,
    evaluation_id: run.evaluation_id,
    number: run.number,
    version: run.version,
    checks_version: run.checks_version,
    status: run.status,
    reason: run.reason,
    next_try_at: run.status === 'waiting' && run.queued_at > new Date() ? run.queued_at.toISOString() : null,
    cause: run.cause,
    repeats: run.repeats,
    baseline: run.baseline,
    row_count: run.row_count,
    answers,
    done,
    failed,
    judged: sumOf(models, 'judged'),
    answers_per_second: perSecond,
    seconds_left: perSecond === null || done + failed >= answers ? null : (answers - done - failed) / perSecond,
    models: models.map((model) => ({
      model: model.model,
      fingerprints: [...model.fingerprints],
      answers: wanted,
      done: model.done,
      failed: model.failed,
      prompt_tokens: model.prompt_tokens,
      completion_tokens: model.completion_tokens,
      seconds: model.ms === null ? null : model.ms / 1000,
      rate: model.rate ?? NO_RATE,
    })),
    created_at: run.created_at.toISOString(),
    created_by: run.created_by === '' ? null : run.created_by,
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
  };
}

async function readModels(orm: Orm, runIds: readonly string[]): Promise<Map<string, RunModel[]>> {
  const given = new Map<string, RunModel[]>();
  if (runIds.length === 0) return given;
  const all = await orm
    .select()
    .from(runModels)
    .where(inArray(runModels.run_id, [...runIds]))
    .orderBy(asc(runModels.place));
  for (const model of all) given.set(model.run_id, [...(given.get(model.run_id) ?? []), model]);
  return given;
}

const visible = (orm: Orm) =>
  orm
    .select({ run: runs })
    .from(runs)
    .innerJoin(evaluations, eq(runs.evaluation_id, evaluations.id))
    .innerJoin(projects, eq(evaluations.project_id, projects.id));

/** How quickly a run goes on here; null: it does not. */
export type PaceOf = (runId: string) => Pace | null;

/** The newest first. */
export async function listRuns(orm: Orm, evaluationId: string, paceOf: PaceOf): Promise<EvaluationRun[]> {
  const records = await visible(orm)
    .where(and(eq(runs.evaluation_id, evaluationId), notDeleted(projects)))
    .orderBy(desc(runs.number));
  const models = await readModels(
    orm,
    records.map(({ run }) => run.id),
  );
  return records.map(({ run }) => toRun(run, models.get(run.id) ?? [], paceOf(run.id)));
}

/** Throws HttpProblem 404. */
export async function readRecord(orm: Orm, id: string, param = 'runId'): Promise<RunRecord> {
  const [record] = await visible(orm).where(and(eq(runs.id, id), notDeleted(projects)));
  return found(record?.run ?? null, 'run', id, param);
}

/** Throws HttpProblem 404. */
export async function readRun(orm: Orm, id: string, paceOf: PaceOf): Promise<EvaluationRun> {
  const run = await readRecord(orm, id);
  const models = await readModels(orm, [id]);
  return toRun(run, models.get(id) ?? [], paceOf(id));
}

/** Throws HttpProblem 404. */
export async function readWholeRun(orm: Orm, id: string, param?: string): Promise<WholeRun> {
  const run = await readRecord(orm, id, param);
  const [models, content, judging] = [
    (await readModels(orm, [id])).get(id) ?? [],
    await readContent(orm, run.evaluation_id, run.version),
    await readContent(orm, run.evaluation_id, run.checks_version),
  ];
  return { run, models, content, checks: judging.checks };
}

/** The newest run of each evaluation that has one; one that failed or was cancelled only where there is no other. */
export async function readLatestRuns(
  orm: Orm,
  evaluationIds: readonly string[],
): Promise<ReadonlyMap<string, RunSummary>> {
  if (evaluationIds.length === 0) return new Map();
  const newest = await orm
    .selectDistinctOn([runs.evaluation_id])
    .from(runs)
    .where(inArray(runs.evaluation_id, [...evaluationIds]))
    .orderBy(runs.evaluation_id, sql`${runs.status} in ('failed', 'cancelled')`, desc(runs.number));
  const models = await readModels(
    orm,
    newest.map(({ id }) => id),
  );
  return new Map(
    newest.map((run) => {
      const own = toRun(run, models.get(run.id) ?? [], null);
      const { id, number, status, answers, done, failed, judged, created_at, ended_at } = own;
      const rates = own.models.map(({ model, rate }) => ({ model, rate }));
      return [run.evaluation_id, { id, number, status, answers, done, failed, judged, created_at, ended_at, rates }];
    }),
  );
}
