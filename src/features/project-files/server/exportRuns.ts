// A run of a project as the records of its file: its settings and results, and what was kept of its training.
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '#service/database/database.ts';
import type { experiments } from '#service/database/tables.ts';
import {
  trainingCheckpoints,
  trainingLogs,
  trainingPoints,
  trainings,
  trainingValidations,
} from '#features/training/server/trainingTables.ts';
import { toEnded, toEndedReason } from './endedRuns.ts';
import { toFigure, type RecordOf, type TransferRecord } from './records.ts';

const POINTS = 1000;

const toFigureOrNull = (value: number | null) => (value === null ? null : toFigure(value));
const toMoment = (at: Date | null): string | null => at?.toISOString() ?? null;

type ExperimentRow = typeof experiments.$inferSelect;

export function toExperimentRecord({
  deleted_at: _gone,
  created_at,
  status,
  ...row
}: ExperimentRow): RecordOf<'experiment'> {
  return {
    kind: 'experiment',
    ...row,
    status: toEnded(status),
    failure: row.failure ?? toEndedReason(status),
    first_loss: toFigureOrNull(row.first_loss),
    last_loss: toFigureOrNull(row.last_loss),
    settings: row.settings && { ...row.settings },
    losses: row.losses && row.losses.map(([step, loss]) => [step, loss]),
    created_at: created_at.toISOString(),
  };
}

export async function* readTraining(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  id: string,
  known: ReadonlySet<string>,
): AsyncGenerator<TransferRecord, void> {
  const [found] = await guard(async () => orm.select().from(trainings).where(eq(trainings.experiment_id, id)));
  if (!found) return;
  const { training_type, refinetune_from: source, seed, reason, step, steps, rows_cut, rows_left_out, stride } = found;
  yield {
    kind: 'training',
    experiment_id: id,
    training_type,
    refinetune_from: source !== null && known.has(source) ? source : null,
    seed,
    reason,
    step,
    steps,
    tokens_per_step: toFigureOrNull(found.tokens_per_step),
    rows_cut,
    rows_left_out,
    stride,
    seconds: found.seconds,
    log_size: found.log_size,
    started_at: toMoment(found.started_at),
    ended_at: toMoment(found.ended_at),
  };
  for (let after = -1; ;) {
    const from = after;
    const isNext = and(eq(trainingPoints.experiment_id, id), gt(trainingPoints.step, from));
    const page = await guard(async () =>
      orm.select().from(trainingPoints).where(isNext).orderBy(asc(trainingPoints.step)).limit(POINTS),
    );
    const points = page.map((point) => ({
      step: point.step,
      at: point.at.toISOString(),
      loss: toFigure(point.loss),
      epoch: toFigureOrNull(point.epoch),
      learning_rate: toFigureOrNull(point.learning_rate),
      gradient_norm: toFigureOrNull(point.gradient_norm),
      tokens_per_second: toFigureOrNull(point.tokens_per_second),
    }));
    if (points.length > 0) yield { kind: 'points', experiment_id: id, points };
    if (page.length < POINTS) break;
    after = page.at(-1)?.step ?? after;
  }
  // Bounded by what is kept of a run (progressStore.ts).
  const validations = await guard(async () =>
    orm
      .select()
      .from(trainingValidations)
      .where(eq(trainingValidations.experiment_id, id))
      .orderBy(asc(trainingValidations.step)),
  );
  for (const { at, loss, exact_match, answers, ...row } of validations)
    yield {
      kind: 'validation',
      ...row,
      at: at.toISOString(),
      loss: toFigureOrNull(loss),
      exact_match: toFigureOrNull(exact_match),
      answers: answers.map((answer) => Object.assign({}, answer)),
    };
  const checkpoints = await guard(async () =>
    orm
      .select()
      .from(trainingCheckpoints)
      .where(eq(trainingCheckpoints.experiment_id, id))
      .orderBy(asc(trainingCheckpoints.step)),
  );
  for (const { at, ...row } of checkpoints) yield { kind: 'checkpoint', ...row, at: at.toISOString() };
  const logs = await guard(async () =>
    orm.select().from(trainingLogs).where(eq(trainingLogs.experiment_id, id)).orderBy(asc(trainingLogs.starts_at)),
  );
  for (const row of logs) yield { kind: 'log', ...row };
}
