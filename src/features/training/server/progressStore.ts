// What is kept of a training: points of its curves, measures, checkpoints, the log. All bounded.
import { and, asc, desc, eq, gt, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { MAX_INTEGER } from '#core/contract/schemas.ts';
import type { TrainerEventOf } from '#trainer/protocol/trainerProtocol.ts';
import type { TrainingLog } from '#features/training/shared/trainingRecords.ts';
import type { Orm } from '#service/database/database.ts';
import {
  trainingCheckpoints,
  trainingLogs,
  trainingPoints,
  trainings,
  trainingValidations,
  type Metrics,
} from './trainingTables.ts';

/** Beyond this many points every second one is dropped. */
export const MAX_POINTS = 4_000;
/** Measures of a run that are kept, the last ones; the answers of the last ones of these. */
export const MAX_VALIDATIONS = 1_000;
export const MAX_ANSWERED = 20;
export const MAX_CHECKPOINTS = 200;

export interface Timed<Event> {
  readonly event: Event;
  readonly at: Date;
}

type Point = typeof trainingPoints.$inferSelect;

/** null: there is none. */
const toMetrics = (metrics: TrainerEventOf<'progress'>['metrics']): Metrics | null => {
  const entries = Object.entries(metrics ?? {}).filter((entry): entry is [string, number] => entry[1] !== null);
  return entries.length === 0 ? null : Object.fromEntries(entries);
};

const toNumber = (value: number | null | undefined): number | null => value ?? null;

function toPoint(experiment_id: string, { event, at }: Timed<TrainerEventOf<'progress'>>): Point {
  return {
    experiment_id,
    step: event.step,
    at,
    loss: event.loss ?? Number.NaN,
    epoch: toNumber(event.epoch),
    learning_rate: toNumber(event.learning_rate),
    gradient_norm: toNumber(event.gradient_norm),
    tokens_per_second: toNumber(event.tokens_per_second),
    metrics: toMetrics(event.metrics),
  };
}

/** Forgets what came after a step: a run that goes on from a checkpoint makes those steps again. */
export async function forgetAfter(orm: Orm, experimentId: string, step: number): Promise<void> {
  for (const table of [trainingPoints, trainingValidations, trainingCheckpoints])
    await orm.delete(table).where(and(eq(table.experiment_id, experimentId), gt(table.step, step)));
}

/** Removes what is between the steps that are kept, from `stride` on until there are few enough. Resolves to the stride. */
async function thin(orm: Orm, experimentId: string, before: number, stride: number): Promise<number> {
  const isOwn = eq(trainingPoints.experiment_id, experimentId);
  if (stride !== before)
    await orm.delete(trainingPoints).where(and(isOwn, sql`${trainingPoints.step} % ${stride} <> 0`));
  const [found] = await orm
    .select({ count: sql<number>`count(*)::integer` })
    .from(trainingPoints)
    .where(isOwn);
  return (found?.count ?? 0) <= MAX_POINTS ? stride : thin(orm, experimentId, stride, stride * 2);
}

/** The last one of equal steps. */
const toLastOfSteps = <Event extends { readonly step: number }>(events: readonly Timed<Event>[]): Timed<Event>[] => [
  ...new Map(events.map((timed) => [timed.event.step, timed])).values(),
];

/** What a row that is there already gets of the one that is added. */
const toAdded = (...names: readonly string[]): Record<string, SQL> =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`excluded."${name}"`)]));

/** Adds points in the order of their steps, the last one of equal steps. Resolves to the stride from now on. */
export async function addPoints(
  orm: Orm,
  experimentId: string,
  stride: number,
  events: readonly Timed<TrainerEventOf<'progress'>>[],
): Promise<number> {
  const isKept = (every: number) => (timed: Timed<TrainerEventOf<'progress'>>) => timed.event.step % every === 0;
  let next = stride;
  let kept = toLastOfSteps(events).filter(isKept(next));
  // A statement has a bounded number of parameters.
  for (; kept.length > MAX_POINTS; kept = kept.filter(isKept(next))) next *= 2;
  if (kept.length === 0) return stride;
  const table = trainingPoints;
  await orm
    .insert(table)
    .values(kept.map((timed) => toPoint(experimentId, timed)))
    .onConflictDoUpdate({
      target: [table.experiment_id, table.step],
      set: toAdded('at', 'loss', 'epoch', 'learning_rate', 'gradient_norm', 'tokens_per_second', 'metrics'),
    });
  return thin(orm, experimentId, stride, next);
}

/** Adds at most `MAX_VALIDATIONS` measures. */
export async function addValidations(
  orm: Orm,
  experiment_id: string,
  events: readonly Timed<TrainerEventOf<'validation'>>[],
): Promise<void> {
  const rows = toLastOfSteps(events).map(({ event: { step, loss, exact_match, metrics, answers = [] }, at }) => ({
    experiment_id,
    step,
    at,
    loss: loss === undefined ? null : (loss ?? Number.NaN),
    exact_match: toNumber(exact_match),
    metrics: toMetrics(metrics),
    answers: answers.map(({ prompt, expected, answer, is_right = null }) => ({ prompt, expected, answer, is_right })),
  }));
  if (rows.length === 0) return;
  const table = trainingValidations;
  await orm
    .insert(table)
    .values(rows)
    .onConflictDoUpdate({
      target: [table.experiment_id, table.step],
      set: toAdded('at', 'loss', 'exact_match', 'metrics', 'answers'),
    });
  const isOwn = eq(table.experiment_id, experiment_id);
  const older = (kept: number) =>
    orm
      .select({ step: table.step })
      .from(table)
      .where(isOwn)
      .orderBy(desc(table.step))
      .offset(kept)
      .limit(MAX_VALIDATIONS);
  const empty = sql`'[]'::jsonb`;
  await orm
    .update(table)
    .set({ answers: empty })
    .where(and(isOwn, sql`${table.answers} <> ${empty}`, inArray(table.step, older(MAX_ANSWERED))));
  await orm.delete(table).where(and(isOwn, inArray(table.step, older(MAX_VALIDATIONS))));
}

/** Adds at most `MAX_CHECKPOINTS`. `modelId`: the model of the last one, to try; null: none. */
export async function addCheckpoints(
  orm: Orm,
  experiment_id: string,
  events: readonly Timed<{ readonly step: number }>[],
  modelId: string | null,
): Promise<void> {
  const newest = events.at(-1);
  const rows = toLastOfSteps(events).map((timed) => ({
    experiment_id,
    step: timed.event.step,
    at: timed.at,
    model_id: timed === newest ? modelId : null,
  }));
  if (rows.length === 0) return;
  const table = trainingCheckpoints;
  await orm
    .insert(table)
    .values(rows)
    .onConflictDoUpdate({ target: [table.experiment_id, table.step], set: toAdded('at', 'model_id') });
  const isOwn = eq(table.experiment_id, experiment_id);
  const older = orm
    .select({ step: table.step })
    .from(table)
    .where(isOwn)
    .orderBy(desc(table.step))
    .offset(MAX_CHECKPOINTS);
  await orm.delete(table).where(and(isOwn, inArray(table.step, older.limit(MAX_CHECKPOINTS))));
}

/** What came after step `after`. Measures of that very step come again: they are made after the step was told. */
export async function readProgress(orm: Orm, experimentId: string, after: number) {
  // A larger number is none that the column's type could hold.
  const since = Math.min(after, MAX_INTEGER);
  const [points, validations] = [trainingPoints, trainingValidations];
  return {
    points: await orm
      .select()
      .from(points)
      .where(and(eq(points.experiment_id, experimentId), gt(points.step, since)))
      .orderBy(asc(points.step)),
    validations: await orm
      .select()
      .from(validations)
      .where(and(eq(validations.experiment_id, experimentId), gte(validations.step, since)))
      .orderBy(asc(validations.step)),
    checkpoints: await orm
      .select()
      .from(trainingCheckpoints)
      .where(eq(trainingCheckpoints.experiment_id, experimentId))
      .orderBy(asc(trainingCheckpoints.step)),
  };
}

/** Characters of one stored part, of all parts, and of one answer. */
const PART = 32 * 1024;
const MAX_LOG = 4 * 1024 * 1024;
const MAX_ANSWER = 512 * 1024;

/** Adds text to the end of a log; the beginning of a log that is too long is dropped. */
export async function addLog(orm: Orm, experiment_id: string, text: string): Promise<void> {
  if (text === '') return;
  const [kept] = await orm
    .update(trainings)
    .set({ log_size: sql`${trainings.log_size} + ${text.length}` })
    .where(eq(trainings.experiment_id, experiment_id))
    .returning({ size: trainings.log_size });
  if (!kept) return;
  const isOwn = eq(trainingLogs.experiment_id, experiment_id);
  const [last] = await orm.select().from(trainingLogs).where(isOwn).orderBy(desc(trainingLogs.starts_at)).limit(1);
  if (last && last.body.length + text.length <= PART)
    await orm
      .update(trainingLogs)
      .set({ body: last.body + text })
      .where(and(isOwn, eq(trainingLogs.starts_at, last.starts_at)));
  else await orm.insert(trainingLogs).values({ experiment_id, starts_at: kept.size - text.length, body: text });
  if (kept.size > MAX_LOG)
    await orm.delete(trainingLogs).where(and(isOwn, lt(trainingLogs.starts_at, kept.size - MAX_LOG)));
}

/** The log from a place on. */
export async function readLog(orm: Orm, experimentId: string, from: number): Promise<TrainingLog | null> {
  const [found] = await orm
    .select({ size: trainings.log_size })
    .from(trainings)
    .where(eq(trainings.experiment_id, experimentId));
  if (!found) return null;
  const isOwn = eq(trainingLogs.experiment_id, experimentId);
  const [before] = await orm
    .select({ starts_at: trainingLogs.starts_at })
    .from(trainingLogs)
    .where(and(isOwn, sql`${trainingLogs.starts_at} <= ${from}`))
    .orderBy(desc(trainingLogs.starts_at))
    .limit(1);
  const parts = await orm
    .select()
    .from(trainingLogs)
    .where(and(isOwn, gte(trainingLogs.starts_at, before?.starts_at ?? 0)))
    .orderBy(asc(trainingLogs.starts_at))
    .limit(Math.ceil(MAX_ANSWER / PART) + 1);
  const start = parts[0]?.starts_at ?? found.size;
  const skipped = Math.max(0, from - start);
  const text = parts
    .map(({ body }) => body)
    .join('')
    .slice(skipped, skipped + MAX_ANSWER);
  const begin = Math.min(start + skipped, found.size);
  return { from: begin, next: begin + text.length, size: found.size, text };
}
