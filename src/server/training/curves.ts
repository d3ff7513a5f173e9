// The curves of trainings in the form of those of runs from folders, so that one view shows both.
import { createHash } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import type { CurveList, CurveRequest } from '#shared/contract/runs.ts';
import type { CurvePoints } from '#server/runs/curve.ts';
import { toCurveValue } from '#server/runs/runDetail.ts';
import { thin } from '#server/runs/thin.ts';
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

function toPoints<Row extends { readonly step: number; readonly at: Date }>(
  rows: readonly Row[],
  read: (row: Row) => number | null,
): CurvePoints {
  const entries = rows.flatMap((row) => {
    const value = read(row);
    return value === null ? [] : [{ step: row.step, at: row.at.getTime(), value }];
  });
  return {
    length: entries.length,
    steps: Float64Array.from(entries, ({ step }) => step),
    values: Float64Array.from(entries, ({ value }) => value),
    times: Float64Array.from(entries, ({ at }) => at),
  };
}

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
      ...Object.entries(OF_POINTS).map(([name, read]) => ({ run_id, name, curve: toPoints(ownPoints, read) })),
      ...Object.entries(OF_VALIDATIONS).map(([name, read]) => ({
        run_id,
        name,
        curve: toPoints(ownValidations, read),
      })),
    ].filter(({ curve }) => curve.length > 0);
  });
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const { names, points: limit = DEFAULT_POINTS, from_step: from, to_step: to } = request;
  const curves = all
    .filter(({ name }) => names.includes(name))
    .map(({ run_id, name, curve }) => {
      const { length, steps, values, times } = curve;
      const sent = thin(curve, { limit, from, to });
      return {
        run_id,
        name,
        length,
        steps: sent.map((at) => steps[at] ?? 0),
        values: sent.map((at) => toCurveValue(values[at] ?? Number.NaN)),
        times: sent.map((at) => times?.[at] ?? null),
      };
    });
  const shown = [...counts].map(([name, runs]) => ({ name, runs }));
  const version = createHash('sha256')
    .update(JSON.stringify([curves, shown]))
    .digest('base64url')
    .slice(0, 22);
  return { version, curves, names: shown };
}
