// Runs of evaluations as people start, end and read them.
import { randomUUID } from 'node:crypto';
import { and, count, eq, inArray, max, notInArray, or, sql } from 'drizzle-orm';
import { toCheckContent } from '#features/evaluation/shared/checkContent.ts';
import { isRule } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { NewRun, RunStatus } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { parseTriedId } from '#features/training/shared/trainedModelIds.ts';
import { toAuthorColumn } from '#service/database/author.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments } from '#service/database/tables.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { removeFailed } from './answers.ts';
import { evaluations, runModels, runs, verdicts } from './evaluationTables.ts';
import { readEvaluation } from './evaluations.ts';
import { readRecord, readWholeRun } from './runRecords.ts';
import { forgetUnchecked } from './verdicts.ts';
import { readContent } from './versions.ts';

export const ACTIVE: readonly RunStatus[] = ['queued', 'running', 'waiting'];

interface Start {
  readonly now: Date;
  /** null is the owner. */
  readonly who: string | null;
  /** The experiment whose end has started it; null: a person. */
  readonly experimentId: string | null;
  /** The model that others are compared with; absent: that of the evaluation. */
  readonly baseline?: string | null;
}

const refuse = (status: number, message: string, code: string, param: string | null = null): never => {
  throw new HttpProblem(status, message, { code, param, ...(status === 429 && { headers: { 'Retry-After': '60' } }) });
};

/** Together those who start runs stay within the limits. */
async function checkRoom(orm: Orm, evaluationId: string): Promise<void> {
  await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended('evaluation runs', 0))`);
  const [active] = await orm
    .select({ all: count() })
    .from(runs)
    .where(inArray(runs.status, [...ACTIVE]));
  if ((active?.all ?? 0) >= EVALUATION_LIMITS.active)
    refuse(
      429,
      `${EVALUATION_LIMITS.active} runs of evaluations wait or go on already. Cancel some, or wait.`,
      'queue_full',
    );
  const [own] = await orm.select({ all: count() }).from(runs).where(eq(runs.evaluation_id, evaluationId));
  if ((own?.all ?? 0) >= EVALUATION_LIMITS.runs)
    refuse(
      409,
      `This evaluation has ${EVALUATION_LIMITS.runs} runs, the most that are kept. Delete some first.`,
      'too_many_runs',
    );
}

function toPlan(
  evaluation: Evaluation,
  wanted: NewRun,
): { readonly models: readonly string[]; readonly repeats: number; readonly baseline: string | null } {
  const models = wanted.models ?? evaluation.models;
  const repeats = wanted.repeats ?? evaluation.repeats;
  const doubled = models.findIndex((model, at) => models.indexOf(model) < at);
  if (doubled >= 0)
    refuse(
      400,
      `The model "${models[doubled]}" is named twice. Name each once.`,
      'invalid_request',
      `models[${doubled}]`,
    );
  if (models.length === 0) refuse(400, 'No model is chosen. Name at least one in `models`.', 'no_models', 'models');
  const answers = evaluation.row_count * models.length * repeats;
  if (answers > EVALUATION_LIMITS.answers)
    refuse(
      400,
      `That are ${answers.toLocaleString('en')} answers, and a run gives at most ` +
        `${EVALUATION_LIMITS.answers.toLocaleString('en')}. Choose fewer models, repeats or rows.`,
      'too_many_answers',
      'models',
    );
  const { baseline } = evaluation;
  return { models, repeats, baseline: baseline !== null && models.includes(baseline) ? baseline : null };
}

/** The first of the models that another of them was trained from, or the first of all. */
async function findBaseline(orm: Orm, models: readonly string[]): Promise<string> {
  const keys = models.flatMap((model) => parseTriedId(model)?.experimentKey ?? []);
  const trained = await orm
    .selectDistinct({ base: experiments.base_model_id })
    .from(experiments)
    .where(
      and(
        inArray(experiments.base_model_id, [...models]),
        or(
          inArray(experiments.model_id, [...models]),
          inArray(sql`left(replace(${experiments.id}::text, '-', ''), 8)`, keys),
        ),
      ),
    );
  return models.find((model) => trained.some(({ base }) => base === model)) ?? models[0] ?? '';
}

async function hasRunOf(orm: Orm, evaluationId: string, experimentId: string): Promise<boolean> {
  const [run] = await orm
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.evaluation_id, evaluationId), eq(runs.experiment_id, experimentId)));
  return run !== undefined;
}

/** Queues a run, and gives its id; null: the experiment has one already. Throws HttpProblem 400, 404, 409, 429. */
export async function startRun(
  outer: Orm,
  evaluationId: string,
  wanted: NewRun,
  { now, who, experimentId, baseline: own = null }: Start,
): Promise<string | null> {
  const evaluation = await readEvaluation(outer, evaluationId);
  const { models, repeats, baseline: chosen } = toPlan({ ...evaluation, baseline: own ?? evaluation.baseline }, wanted);
  const baseline = chosen ?? (await findBaseline(outer, models));
  const id = randomUUID();
  return outer.transaction(async (orm) => {
    await checkRoom(orm, evaluationId);
    if (experimentId !== null && (await hasRunOf(orm, evaluationId, experimentId))) return null;
    const [last] = await orm
      .select({ number: max(runs.number) })
      .from(runs)
      .where(eq(runs.evaluation_id, evaluationId));
    await orm.insert(runs).values({
      id,
      evaluation_id: evaluationId,
      number: (last?.number ?? 0) + 1,
      version: evaluation.version,
      checks_version: evaluation.version,
      status: 'queued',
      experiment_id: experimentId,
      cause: experimentId === null ? 'person' : 'training',
      repeats,
      baseline,
      row_count: evaluation.row_count,
      created_at: now,
      created_by: toAuthorColumn(who),
      queued_at: now,
    });
    await orm.insert(runModels).values(models.map((model, place) => ({ run_id: id, place, model })));
    return id;
  });
}

const endedAlready = (status: RunStatus): never =>
  refuse(409, `The run is ${status} already. Nothing was changed.`, 'run_ended');

/** Throws HttpProblem 404, 409. */
export async function cancelRun(orm: Orm, id: string, now: Date): Promise<void> {
  const ended = await orm
    .update(runs)
    .set({ status: 'cancelled', reason: null, ended_at: now })
    .where(and(eq(runs.id, id), inArray(runs.status, [...ACTIVE])))
    .returning({ id: runs.id });
  if (ended.length === 0) endedAlready((await readRecord(orm, id)).status);
}

/** Puts a run that has ended into the queue, after `change`. Throws HttpProblem 404, 409, 429. */
async function queueAgain(outer: Orm, id: string, now: Date, change: (orm: Orm) => Promise<void>): Promise<void> {
  const { evaluation_id } = await readRecord(outer, id);
  await outer.transaction(async (orm) => {
    await checkRoom(orm, evaluation_id);
    const queued = await orm
      .update(runs)
      .set({ status: 'queued', reason: null, queued_at: now, ended_at: null })
      .where(and(eq(runs.id, id), notInArray(runs.status, [...ACTIVE])))
      .returning({ id: runs.id });
    if (queued.length === 0)
      refuse(409, 'The run waits or goes on now. Cancel it first, or wait for its end.', 'run_active');
    await change(orm);
  });
}

/** Asks again what has no answer. Throws HttpProblem 404, 409, 429. */
export async function resumeRun(orm: Orm, id: string, now: Date): Promise<void> {
  const { run, models } = await readWholeRun(orm, id);
  const wanted = run.row_count * run.repeats;
  if (run.status === 'completed' && models.every(({ done }) => done === wanted))
    refuse(409, 'Every row has an answer. Start a new run to ask again.', 'run_complete');
  await queueAgain(orm, id, now, (transaction) => removeFailed(transaction, id));
}

/** Judges by the newest checks: verdicts of those that did not change stay. Throws HttpProblem 404, 409, 429. */
export async function rescoreRun(orm: Orm, id: string, now: Date): Promise<void> {
  const { run, checks } = await readWholeRun(orm, id);
  const [evaluation] = await orm.select().from(evaluations).where(eq(evaluations.id, run.evaluation_id));
  const { version } = found(evaluation ?? null, 'evaluation', run.evaluation_id);
  const newest = await readContent(orm, run.evaluation_id, version);
  const kept = newest.checks.filter((check) =>
    checks.some((before) => before.id === check.id && toCheckContent(before) === toCheckContent(check)),
  );
  await queueAgain(orm, id, now, async (transaction) => {
    await transaction.update(runs).set({ checks_version: version }).where(eq(runs.id, id));
    await transaction.update(runModels).set({ judged: 0, rate: null }).where(eq(runModels.run_id, id));
    await transaction
      .delete(verdicts)
      .where(and(eq(verdicts.run_id, id), notInArray(verdicts.scorer, [PEOPLE, ...kept.map((check) => check.id)])));
    // A judge that could not be asked, or was not understood, may give a verdict now.
    const judges = kept.filter((check) => !isRule(check));
    await forgetUnchecked(
      transaction,
      id,
      judges.map((check) => check.id),
    );
  });
}

/** Throws HttpProblem 404. */
export async function deleteRun(orm: Orm, id: string): Promise<void> {
  await readRecord(orm, id);
  await orm.delete(runs).where(eq(runs.id, id));
}
