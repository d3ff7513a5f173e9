// The curves of trainings in the form of those of runs from folders, so that one view shows both.
import { createHash } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import type { CurveList, CurveRequest, RunCurve } from '#shared/contract/runs.ts';
import type { Orm } from '#server/studio/database.ts';
import { trainingPoints, trainings, trainingValidations } from './trainingTables.ts';

type Point = typeof trainingPoints.$inferSelect;
type Validation = typeof trainingValidations.$inferSelect;

/** Names as in the `log_history` of Hugging Face, as runs from folders have them. */
const OF_POINTS: Readonly<Record<string, (point: Point) => number | null>> = {
  loss: ({ loss }) => loss,
  learning_rate: ({ learning_rate }) => learning_rate,
  grad_norm: ({ gradient_norm }) => gradient_norm,
  tokens_per_second: ({ tokens_per_second }) => tokens_per_second,
  epoch: ({ epoch }) => epoch,
};
const OF_VALIDATIONS: Readonly<Record<string, (validation: Validation) => number | null>> = {
  'eval/loss': ({ loss }) => loss,
  'eval/exact_match': ({ exact_match }) => exact_match,
};

const DEFAULT_POINTS = 1_000;

interface Entry {
  readonly step: number;
  readonly at: Date;
  readonly value: number;
}

const toEntries = <Row extends { readonly step: number; readonly at: Date }>(
  rows: readonly Row[],
  read: (row: Row) => number | null,
): Entry[] =>
  rows.flatMap((row) => {
    const value = read(row);
    return value === null ? [] : [{ step: row.step, at: row.at, value }];
  });

/** At most `limit` of them: both ends, what is not finite, and the extremes of each stretch. */
function thin(entries: readonly Entry[], limit: number): readonly Entry[] {
  if (entries.length <= limit) return entries;
  const size = Math.ceil((entries.length - 2) / Math.max(1, Math.floor((limit - 2) / 3)));
  const kept = new Set([entries[0], entries.at(-1)]);
  for (let at = 1; at < entries.length - 1; at += size) {
    const stretch = entries.slice(at, Math.min(at + size, entries.length - 1));
    const finite = stretch.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.value - b.value);
    for (const entry of [finite[0], finite.at(-1), stretch.find(({ value }) => !Number.isFinite(value))])
      kept.add(entry);
  }
  return entries.filter((entry) => kept.has(entry));
}

/** Those of a range of steps, and one beyond each end. */
function cut(entries: readonly Entry[], from: number, to: number): readonly Entry[] {
  const first = entries.findIndex(({ step }) => step >= from);
  const last = entries.findLastIndex(({ step }) => step <= to);
  return first === -1 ? entries.slice(-1) : entries.slice(Math.max(0, first - 1), Math.max(first, last) + 2);
}

const toValue = (value: number): RunCurve['values'][number] => {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
};

export async function readCurves(orm: Orm, request: CurveRequest): Promise<CurveList> {
  const ids = request.runs.map((id) => id.toLowerCase());
  const known = await orm.select().from(trainings).where(inArray(trainings.experiment_id, ids));
  const own = known.map(({ experiment_id }) => experiment_id);
  if (own.length === 0) return { version: '', curves: [], names: [] };
  const [points, validations] = [trainingPoints, trainingValidations];
  const pointRows = await orm.select().from(points).where(inArray(points.experiment_id, own)).orderBy(points.step);
  const validationRows = await orm
    .select()
    .from(validations)
    .where(inArray(validations.experiment_id, own))
    .orderBy(validations.step);
  const all = own.flatMap((run_id) => {
    const ownPoints = pointRows.filter((row) => row.experiment_id === run_id);
    const ownValidations = validationRows.filter((row) => row.experiment_id === run_id);
    return [
      ...Object.entries(OF_POINTS).map(([name, read]) => ({ run_id, name, entries: toEntries(ownPoints, read) })),
      ...Object.entries(OF_VALIDATIONS).map(([name, read]) => ({
        run_id,
        name,
        entries: toEntries(ownValidations, read),
      })),
    ].filter(({ entries }) => entries.length > 0);
  });
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const { names, points: limit = DEFAULT_POINTS, from_step = -Infinity, to_step = Infinity } = request;
  const curves = all
    .filter(({ name }) => names.includes(name))
    .map(({ run_id, name, entries }) => {
      const sent = thin(cut(entries, from_step, to_step), limit);
      return {
        run_id,
        name,
        length: entries.length,
        steps: sent.map(({ step }) => step),
        values: sent.map(({ value }) => toValue(value)),
        times: sent.map(({ at }) => at.getTime()),
      };
    });
  const shown = [...counts].map(([name, runs]) => ({ name, runs }));
  const version = createHash('sha256')
    .update(JSON.stringify([curves, shown]))
    .digest('base64url')
    .slice(0, 22);
  return { version, curves, names: shown };
}
