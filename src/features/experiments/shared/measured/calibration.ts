// The file that `npm run calibrate` writes: runs on the tasks that come with the studio. Pure.
import * as z from 'zod/mini';
import { ANSWER_SHAPES } from '#core/contract/answerShapes.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import type { MeasuredRun, Settings } from './measuredRun.ts';

const taskSchema = z.object({
  name: z.string(),
  rows: z.int(),
  held_out_rows: z.int(),
  bytes_per_row: z.number(),
  tokens_per_row: z.number(),
  answer_shape: z.enum(ANSWER_SHAPES),
});

const runSchema = z.object({
  task: z.string(),
  lora: z.boolean(),
  learning_rate: z.number(),
  batch_size: z.int(),
  n_epochs: z.int(),
  /** Of the order of the rows and of the adapter's first weights. */
  seed: z.int(),
  steps: z.int(),
  /** null: it diverged. */
  loss: z.nullable(z.number()),
  exact_match: z.nullable(z.number()),
  cpu_seconds: z.number(),
});

const calibrationSchema = z.object({
  base: z.string(),
  /** Weights of the base model. */
  parameters: z.int(),
  tasks: z.array(taskSchema),
  runs: z.array(runSchema),
});

export type CalibrationTask = z.infer<typeof taskSchema>;
export type CalibrationRun = z.infer<typeof runSchema>;
export type Calibration = z.infer<typeof calibrationSchema>;

/** Throws for another form. */
export const parseCalibration = (value: unknown): Calibration => calibrationSchema.parse(value);

/** Runs of one task with the same settings, which differ in their seed. */
export interface SeedRuns extends Settings {
  readonly task: string;
  readonly runs: readonly CalibrationRun[];
  /** The mean of the runs; null: one of them diverged. */
  readonly loss: number | null;
  readonly exact_match: number | null;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** One entry for each task and settings, in the order of their first runs. */
export function toSeedRuns(runs: readonly CalibrationRun[]): readonly SeedRuns[] {
  const groups = toGroups(runs, ({ task, lora, learning_rate, batch_size, n_epochs }) =>
    JSON.stringify([task, lora, learning_rate, batch_size, n_epochs]),
  );
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { task, lora, learning_rate, batch_size, n_epochs } = first;
    const loss = meanOf(own.map((run) => run.loss));
    const exact_match = meanOf(own.map((run) => run.exact_match));
    return [{ task, lora, learning_rate, batch_size, n_epochs, runs: own, loss, exact_match }];
  });
}

/** Runs as evidence: those that differ in their seed alone are one, with the mean of their results. */
export function toMeasuredRuns({ tasks, runs, parameters }: Calibration): readonly MeasuredRun[] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return toSeedRuns(runs).flatMap(({ runs: _runs, ...run }): MeasuredRun[] => {
    const task = byName.get(run.task);
    if (!task) return [];
    const { rows, bytes_per_row, tokens_per_row, answer_shape } = task;
    const facts = { rows, bytes_per_row, tokens_per_row, answer_shape, parameters };
    return [{ ...run, origin: 'calibration', facts }];
  });
}
