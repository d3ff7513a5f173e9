// The file that `npm run calibrate` writes: runs on the tasks that come with the studio. Pure.
import * as z from 'zod/mini';
import { ANSWER_SHAPES } from '#shared/contract/answerShapes.ts';
import type { MeasuredRun } from './measuredRun.ts';

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

/** Runs as evidence. */
export function toMeasuredRuns({ tasks, runs, parameters }: Calibration): readonly MeasuredRun[] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return runs.flatMap((run): MeasuredRun[] => {
    const task = byName.get(run.task);
    if (!task) return [];
    const { lora, learning_rate, batch_size, n_epochs, loss, exact_match } = run;
    return [
      {
        task: run.task,
        origin: 'calibration',
        facts: {
          rows: task.rows,
          bytes_per_row: task.bytes_per_row,
          tokens_per_row: task.tokens_per_row,
          answer_shape: task.answer_shape,
          parameters,
        },
        lora,
        learning_rate,
        batch_size,
        n_epochs,
        loss,
        exact_match,
      },
    ];
  });
}
