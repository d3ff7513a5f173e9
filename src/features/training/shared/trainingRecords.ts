// What the studio says of trainings: queue, progress, log, models in memory. Strict schemas of what our service sends.
// ASSUMED: not in SPEC. `/api/v1/models/running`, `up` and `down` are those of the hosted studio's SDK; the rest is ours.
import * as z from 'zod/mini';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { curveValueSchema } from '#features/runs/shared/runs.ts';
import { countSchema, maxCharacters, statusCauseSchema, uuidSchema, wholeTextSchema } from '#core/contract/schemas.ts';
import { OBJECTIVES } from '#core/contract/trainingSettings.ts';
import { EXPERIMENT_STATUSES } from '#core/contract/statuses.ts';
import { exportParitySchema } from '#core/contract/exportParity.ts';

const timeSchema = z.nullable(z.number().check(z.describe('Unix milliseconds; null: not yet.')));
const reasonSchema = z.nullable(
  z.string().check(z.describe('Why it is in its status: why it waits, or how it ended. null: nothing to add.')),
);

/** `GET /api/v1/studio/training`: the trainer and its queue. */
export const trainingQueueSchema = z.strictObject({
  trainer: z.nullable(
    z
      .strictObject({
        /** What starts it, for people. */
        name: z.string(),
        /** null: any base model. */
        trains_only: z.nullable(z.array(z.string())),
        /** Why it can't do a setting, with what to do, by the setting's name. */
        refused_settings: z.record(z.string(), z.string()),
        /** It takes part in successive halving. */
        can_pause: z.boolean(),
      })
      .check(z.describe('Of this machine. null: only workers train.')),
  ),
  has_workers: z.boolean().check(z.describe('Machines elsewhere train for this studio, or asked for runs lately.')),
  running: z
    .array(uuidSchema)
    .check(z.describe('The experiments that are trained now: one on this machine, and one on each worker.')),
  waiting: z
    .array(
      z.strictObject({
        experiment_id: uuidSchema,
        job_id: uuidSchema,
        position: countSchema.check(z.describe('1 is next.')),
        reason: reasonSchema,
        launcher: z
          .nullable(z.string())
          .check(z.describe('The cluster that it waits for; null: this studio, or a worker.')),
      }),
    )
    .check(z.maxLength(JOB_LIMITS.waiting)),
});

/** `GET /api/v1/studio/snapshots/{snapshotId}/objectives`: what a training of it may learn from. */
export const trainingObjectivesSchema = z.strictObject({
  objectives: z.array(
    z.strictObject({
      objective: z.enum(OBJECTIVES),
      refusal: z.nullable(z.string().check(z.describe('Why it can not be chosen, and what to do. null: it can.'))),
    }),
  ),
  reward_functions: z.nullable(
    z.array(z.string()).check(z.describe('Names for `reward_function`. null: not known here, any name is taken.')),
  ),
  first_run_id: z.nullable(
    uuidSchema.check(
      z.describe(
        'Of rows for dpo or kto: the best run of the project on single answers to the same system prompt, for `refinetune_from_experiment_id`.',
      ),
    ),
  ),
});
export type TrainingObjectives = z.infer<typeof trainingObjectivesSchema>;

/** `PUT /api/v1/studio/training/queue`: waiting experiments in their new order. Those that are not named come after them. */
export const queueOrderSchema = z.object({
  experiment_ids: z.array(uuidSchema).check(z.minLength(1), z.maxLength(JOB_LIMITS.waiting)),
});

const optionalNumber = z.nullable(z.number());

const progressPointSchema = z.strictObject({
  step: countSchema,
  epoch: optionalNumber,
  loss: curveValueSchema,
  learning_rate: optionalNumber,
  gradient_norm: optionalNumber,
  tokens_per_second: optionalNumber,
  /** Unix milliseconds. */
  at: z.number(),
});

const validationPointSchema = z.strictObject({
  step: countSchema,
  loss: z.nullable(curveValueSchema),
  exact_match: optionalNumber,
  answers: z.array(
    z.strictObject({
      prompt: z.string(),
      expected: z.string(),
      answer: z.string(),
      is_right: z.nullable(z.boolean()),
    }),
  ),
});

const checkpointSchema = z.strictObject({
  step: countSchema,
  saved_at: z.number(),
  /** The model of `GET /api/v1/models` that answers with these weights; null: none. */
  model_id: z.nullable(z.string()),
});

const countTextSchema = wholeTextSchema(0, Number.MAX_SAFE_INTEGER);

export const progressQuerySchema = z.object({
  since: z.optional(countTextSchema).check(z.describe('Only what came after this step.')),
});

/** `GET /api/v1/studio/experiments/{experimentId}/progress?since=STEP`: what came after that step. */
export const progressSchema = z.strictObject({
  experiment_id: uuidSchema,
  job_id: uuidSchema,
  status: z.enum(EXPERIMENT_STATUSES),
  status_cause: z.optional(statusCauseSchema),
  reason: reasonSchema,
  queue_position: z.nullable(countSchema),
  /** What a person may do with it now. */
  actions: z.array(z.enum(['cancel', 'stop', 'resume'])),
  step: countSchema,
  steps: z.nullable(countSchema),
  seconds_left: optionalNumber,
  tokens_per_step: optionalNumber,
  started_at: timeSchema,
  ended_at: timeSchema,
  rows_cut: z.nullable(countSchema),
  rows_left_out: z.nullable(countSchema),
  /** Training steps, at most 4,000 over the whole run: of a longer one every n-th. */
  points: z.array(progressPointSchema),
  validations: z.array(validationPointSchema),
  checkpoints: z.array(checkpointSchema),
  /** The machine that trains it, if it is a worker; missing: the studio's own, or none does now. */
  machine: z.optional(z.string()),
  /** The launcher that places it; missing: none. */
  launcher: z.optional(z.string()),
  /** Whether the model's files answer as the trainer did; missing: not measured. */
  parity: z.optional(exportParitySchema),
});

export const logQuerySchema = z.object({
  from: z.optional(countTextSchema).check(z.describe('Where to begin; `next` of the last answer.')),
});

/** `GET /api/v1/studio/experiments/{experimentId}/log?from=PLACE`. Places are counted in UTF-16 units, as texts of JavaScript are. */
export const trainingLogSchema = z.strictObject({
  /** Where `text` begins: `from`, or later if the beginning of a long log is gone. */
  from: countSchema,
  /** Where the next part begins. */
  next: countSchema,
  size: countSchema,
  text: z.string(),
});

/** The command and the job file of a run, as they were or will be. Paths are those of the service's machine. */
export const trainingCommandSchema = z.strictObject({ command: z.array(z.string()), job: z.string() });

/** `POST /api/v1/studio/training/preview` of a job that is not started: the same for each of its experiments. */
export const trainingPreviewSchema = z.strictObject({
  runs: z.array(trainingCommandSchema).check(z.describe('Ids and seeds are chosen at the start: here they are 0.')),
});

/** How to serve a finished model elsewhere. Paths are those of the service's machine. */
export const takeAwaySchema = z.strictObject({
  modelfile: z.nullable(z.string().check(z.describe("Ollama's; null: `problem` says why there is none."))),
  problem: z.nullable(z.string()),
  files: z.array(
    z.strictObject({
      format: z.string().check(z.describe('adapter, F16, merged F16, merged Q8_0, or what another trainer called it.')),
      path: z.string(),
      bytes: countSchema,
      name: z.string().check(z.describe('Of the file when it is downloaded: `{name}` of its address.')),
    }),
  ),
  commands: z.array(z.strictObject({ title: z.string(), command: z.string() })),
});

/** `POST /api/v1/models/up` and `down`; `GET /api/v1/models/running?model=`. */
export const modelNameSchema = z.object({
  model: z.string().check(z.minLength(1), maxCharacters(256), z.describe('Id or alias.')),
});
export const messageSchema = z.strictObject({ message: z.string() });
export const modelRunningSchema = z.strictObject({
  status: z.boolean(),
  memory: z
    .nullable(
      z.strictObject({
        bytes: z.number().check(z.describe('Of weights and contexts.')),
        layers: countSchema,
        gpu_layers: countSchema.check(z.describe('Those that a graphics card computes.')),
        gpu: z.nullable(z.string().check(z.describe('The graphics card; null: the processor alone.'))),
      }),
    )
    .check(z.describe('What the model takes; null: it is not in the memory of this studio.')),
});
export type ModelRunning = z.infer<typeof modelRunningSchema>;

export type TakeAway = z.infer<typeof takeAwaySchema>;
export type TrainingQueue = z.infer<typeof trainingQueueSchema>;
export type TrainingProgress = z.infer<typeof progressSchema>;
export type ProgressPoint = TrainingProgress['points'][number];
export type ValidationPoint = TrainingProgress['validations'][number];
export type TrainingLog = z.infer<typeof trainingLogSchema>;
export type TrainingAction = TrainingProgress['actions'][number];

/** `GET /api/v1/studio/training/bases`: the models that this studio has as files, as a training would start from them. */
export const trainingBasesSchema = z.strictObject({
  bases: z.array(
    z.strictObject({
      id: z.string(),
      refusal: z.nullable(
        z
          .string()
          .check(z.describe('Why the trainer can not train it, and what to do. null: it can, or nobody knows.')),
      ),
      shape: z.nullable(
        z.strictObject({
          layers: countSchema,
          width: countSchema,
          heads: countSchema,
          key_heads: countSchema,
          head_width: countSchema,
          inner_width: countSchema,
          vocabulary: countSchema,
          context: countSchema,
          has_output: z.boolean(),
        }),
      ),
      operations_per_second: z.nullable(
        z
          .number()
          .check(z.describe('What finished runs from it reached here, in the middle. null: none has finished.')),
      ),
      finished_runs: countSchema.check(z.describe('How many of the last finished runs that was read from.')),
      file_bytes: z.nullable(countSchema),
    }),
  ),
  machine: z.nullable(
    z
      .strictObject({ memory_free: countSchema, disk_free: countSchema })
      .check(z.describe('Bytes that are free now on the machine that trains. null: nobody knows.')),
  ),
  threads: countSchema.check(z.describe('That the built-in trainer may use for a run here.')),
});
export type TrainingBases = z.infer<typeof trainingBasesSchema>;
