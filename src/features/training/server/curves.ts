// The curves of trainings in the form of those of runs from folders, so that one view shows both. What there is of them is
// looked at first: a page asks again and again, and points are read only when there are others.
import { createHash } from 'node:crypto';
import { and, count, desc, eq, getTableColumns, inArray, isNotNull, max } from 'drizzle-orm';
import { MAX_CURVES, type CurveList, type CurveRequest, type RunCurve } from '#features/runs/shared/runs.ts';
import type { CurvePoints } from '#features/runs/server/curvePoints/columns.ts';
import { toCurveValue } from '#features/runs/server/runDetail.ts';
import { thin } from '#features/runs/shared/settings/downsampleCurve.ts';
import type { Database } from '#service/database/database.ts';
import { trainingPoints, trainings, trainingValidations, type Metrics } from './trainingTables.ts';

type Point = typeof trainingPoints.$inferSelect;
type Validation = typeof trainingValidations.$inferSelect;

/** A curve: its name as in the `log_history` of Hugging Face, as runs from folders have it, and where its values are. */
const OF_POINTS = {
  loss: 'loss',
  learning_rate: 'learning_rate',
  grad_norm: 'gradient_norm',
  tokens_per_second: 'tokens_per_second',
  epoch: 'epoch',
} as const satisfies Readonly<Record<string, keyof Point>>;
const OF_VALIDATIONS = {
  'eval/loss': 'loss',
  'eval/exact_match': 'exact_match',
} as const satisfies Readonly<Record<string, keyof Validation>>;

const DEFAULT_POINTS = 1_000;
/** Points of all curves of an answer. */
const MAX_POINTS = 1_000_000;
/** Runs that are looked at together: of each some thousand points are counted. */
const RUNS = 20;

export interface FoundCurves {
  /** Empty: this studio trains none of the runs. Another one whenever an answer would be. */
  readonly version: string;
  readonly names: CurveList['names'];
  /** One run after the other. Rejects when it is aborted. */
  read(signal?: AbortSignal): Promise<readonly RunCurve[]>;
}

const NONE: FoundCurves = { version: '', names: [], read: async () => [] };

const EVAL = 'eval/';
/** Measured rows at the end of a run by which its further curves are known: a step may lack one. */
const NAMED_BY = 20;

type Rows = readonly { readonly step: number; readonly at: Date; readonly metrics: Metrics | null }[];

function toPoints(rows: Rows, name: string, column: string | undefined): CurvePoints {
  const entries = rows.flatMap((row) => {
    const value = column === undefined ? row.metrics?.[name] : (row as Readonly<Record<string, unknown>>)[column];
    return typeof value === 'number' ? [{ step: row.step, at: row.at.getTime(), value }] : [];
  });
  return {
    length: entries.length,
    steps: Float64Array.from(entries, ({ step }) => step),
    values: Float64Array.from(entries, ({ value }) => value),
    times: Float64Array.from(entries, ({ at }) => at),
  };
}

function toCurve(run_id: string, name: string, curve: CurvePoints, request: CurveRequest, limit: number): RunCurve {
  const { length, steps, values, times } = curve;
  const sent = thin(curve, { limit, from: request.from_step, to: request.to_step });
  return {
    run_id,
    name,
    length,
    steps: sent.map((at) => steps[at] ?? 0),
    values: sent.map((at) => toCurveValue(values[at] ?? Number.NaN)),
    times: sent.map((at) => times?.[at] ?? null),
  };
}

/** The names of the further curves of a run, as its last rows have them. */
async function readMetricNames(
  orm: Database['orm'],
  table: typeof trainingPoints | typeof trainingValidations,
  id: string,
): Promise<readonly string[]> {
  const rows = await orm
    .select({ metrics: table.metrics })
    .from(table)
    .where(and(eq(table.experiment_id, id), isNotNull(table.metrics)))
    .orderBy(desc(table.step))
    .limit(NAMED_BY);
  return [...new Set(rows.flatMap(({ metrics }) => Object.keys(metrics ?? {})))];
}

/** Which curves some runs have, and when each last changed. */
async function findSome({ orm }: Pick<Database, 'orm'>, ids: readonly string[]) {
  const [points, validations] = [trainingPoints, trainingValidations];
  const ofPoints = await orm
    .select({
      id: points.experiment_id,
      state: { rows: count(), step: max(points.step), at: max(points.at) },
      loss: count(points.loss),
      learning_rate: count(points.learning_rate),
      grad_norm: count(points.gradient_norm),
      tokens_per_second: count(points.tokens_per_second),
      epoch: count(points.epoch),
      metrics: count(points.metrics),
    })
    .from(points)
    .where(inArray(points.experiment_id, [...ids]))
    .groupBy(points.experiment_id);
  const ofValidations = await orm
    .select({
      id: validations.experiment_id,
      state: { rows: count(), step: max(validations.step), at: max(validations.at) },
      'eval/loss': count(validations.loss),
      'eval/exact_match': count(validations.exact_match),
      metrics: count(validations.metrics),
    })
    .from(validations)
    .where(inArray(validations.experiment_id, [...ids]))
    .groupBy(validations.experiment_id);
  const found = [];
  for (const [rows, table, lead] of [
    [ofPoints, points, ''],
    [ofValidations, validations, EVAL],
  ] as const)
    for (const { id, state, metrics, ...counts } of rows) {
      const named = metrics > 0 ? await readMetricNames(orm, table, id) : [];
      for (const [name, values] of Object.entries(counts)) if (values > 0) found.push({ id, name, values, state });
      for (const name of named) found.push({ id, name: lead + name, values: metrics, state });
    }
  return found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** `wanted`: the names of curves, by run. */
async function* readRuns(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  wanted: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<{ readonly id: string; readonly name: string; readonly points: CurvePoints }, void> {
  for (const [id, names] of wanted) {
    const isOfValidations = (name: string): boolean => name.startsWith(EVAL);
    const points: Rows = names.every(isOfValidations)
      ? []
      : await guard(async () =>
          orm.select().from(trainingPoints).where(eq(trainingPoints.experiment_id, id)).orderBy(trainingPoints.step),
        );
    const { answers: _answers, ...columns } = getTableColumns(trainingValidations);
    const validations: Rows = names.some(isOfValidations)
      ? await guard(async () =>
          orm
            .select(columns)
            .from(trainingValidations)
            .where(eq(trainingValidations.experiment_id, id))
            .orderBy(trainingValidations.step),
        )
      : [];
    for (const name of names) {
      const [rows, all] = isOfValidations(name) ? [validations, OF_VALIDATIONS] : [points, OF_POINTS];
      const column = (all as Readonly<Record<string, string>>)[name];
      const own = isOfValidations(name) ? name.slice(EVAL.length) : name;
      yield { id, name, points: toPoints(rows, own, column) };
    }
  }
}

export async function findCurves(
  database: Pick<Database, 'orm' | 'guard'>,
  { version: _version, ...request }: CurveRequest,
): Promise<FoundCurves> {
  const { orm, guard } = database;
  const runs = [...new Set(request.runs.map((id) => id.toLowerCase()))];
  const trained = await guard(async () =>
    orm.select({ id: trainings.experiment_id }).from(trainings).where(inArray(trainings.experiment_id, runs)),
  );
  if (trained.length === 0) return NONE;
  // In the order of the request; the database has its own.
  const known = runs.filter((run) => trained.some(({ id }) => id === run));
  const all: Awaited<ReturnType<typeof findSome>> = [];
  for (let at = 0; at < known.length; at += RUNS) {
    const some = known.slice(at, at + RUNS);
    all.push(...(await guard(() => findSome(database, some))));
  }
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].map(([name, runs]) => ({ name, runs }));
  const asked = all.filter(({ name }) => request.names.includes(name)).slice(0, MAX_CURVES);
  const wanted = new Map<string, string[]>();
  for (const { id, name } of asked) wanted.set(id, [...(wanted.get(id) ?? []), name]);
  const limit = Math.min(request.points ?? DEFAULT_POINTS, Math.floor(MAX_POINTS / Math.max(1, asked.length)));
  return {
    version: createHash('sha256')
      .update(JSON.stringify([request, asked, names]))
      .digest('base64url')
      .slice(0, 22),
    names,
    async read(signal) {
      const curves: RunCurve[] = [];
      for await (const { id, name, points } of readRuns(database, wanted)) {
        signal?.throwIfAborted();
        curves.push(toCurve(id, name, points, request, limit));
      }
      return curves;
    },
  };
}
