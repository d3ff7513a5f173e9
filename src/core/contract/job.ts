// A fine-tuning job with the parameters and results of its experiments: strict schemas for what our service sends.
// ASSUMED: not in SPEC. Path and fields are those of the hosted studio's SDK; the optional fields are ours.
// jobReader.ts reads the jobs of other services.
import * as z from 'zod/mini';
import { ANSWER_SHAPES, DECODINGS } from './answerShapes.ts';
import { rightRowsSchema } from './rightRows.ts';
import { countSchema, maxCharacters, oneLineCheck, statusCauseSchema, uuidSchema } from './schemas.ts';
import { EXPERIMENT_STATUSES, JOB_STATUSES } from './statuses.ts';
import { chosenSchema, OBJECTIVES } from './trainingSettings.ts';

/** The service sends at most this many points of a loss curve. Thinning keeps both ends and the extremes. */
export const MAX_LOSS_POINTS = 500;

/** null: the loss was not a finite number, which JSON can't express. */
export const lossPointSchema = z.strictObject({ step: countSchema, loss: z.nullable(z.number()) });

const experimentSchema = z.strictObject({
  id: uuidSchema,
  experiment_number: z.int(),
  // ASSUMED: absent where a run of another trainer doesn't write them down; other trainers also run parts of an epoch.
  base_model_id: z.optional(z.string()),
  batch_size: z.optional(z.int()),
  learning_rate_multiplier: z.optional(z.number()),
  n_epochs: z.optional(z.number()),
  // As in a recommended experiment (SPEC 2.2).
  lora: z.optional(z.boolean()),
  // ASSUMED: the field of the hosted studio's SDK.
  training_type: z.optional(z.string()),
  status: z.enum(EXPERIMENT_STATUSES),
  // ASSUMED: absent until the experiment has succeeded, as in the tree.
  model_id: z.optional(z.string()),
  status_cause: z.optional(statusCauseSchema),
  /** Why it failed or stopped, or that its loss is lost while it goes on. */
  failure: z.optional(z.string()),
  // Of a training of this studio.
  reason: z.optional(z.string().check(z.describe('Why it waits or was stopped.'))),
  queue_position: z.optional(countSchema.check(z.describe('1 is trained next.'))),
  refinetune_from_experiment_id: z.optional(uuidSchema),
  ended_at: z.optional(z.iso.datetime().check(z.describe('When it ended, however it did.'))),
  steps: z.optional(countSchema),
  seconds: z.optional(z.number()),
  // Training losses. `last_loss` is not a point of `losses`: the loss of one step varies with its rows, a mean of 20
  // steps varies much less.
  first_loss: z.optional(z.number().check(z.describe('Training loss of the first step.'))),
  last_loss: z.optional(
    z
      .number()
      .check(
        z.describe('Training loss, the mean of the last 20 steps; the last point of `losses` is that of one step.'),
      ),
  ),
  held_out_rows: z.optional(
    countSchema.check(z.describe('How many rows were held out of training, on which `held_out` was measured.')),
  ),
  held_out: z.optional(
    z
      .record(z.string(), z.number())
      .check(z.describe('Measures on the validation rows by name: shares from 0 to 1, and losses per token in nats.')),
  ),
  held_out_base: z.optional(
    z
      .record(z.string(), z.number())
      .check(z.describe('The same measures of the base model, before the training, on the same rows.')),
  ),
  right_rows: z.optional(rightRowsSchema),
  decoding: z.optional(z.enum(DECODINGS).check(z.describe('How the measured answers were generated.'))),
  // Further settings of the training, where they are known.
  lora_rank: z.optional(z.int()),
  lora_alpha: z.optional(z.number()),
  seed: z.optional(z.int()),
  optimizer: z.optional(z.string()),
  scheduler: z.optional(z.string()),
  warmup_steps: z.optional(countSchema),
  lora_dropout: z.optional(z.number()),
  target_modules: z.optional(z.string().check(z.describe('Their names, with commas between them.'))),
  weight_decay: z.optional(z.number()),
  max_length: z.optional(countSchema),
  objective: z.optional(z.enum(OBJECTIVES).check(z.describe('What it learnt from; missing: sft.'))),
  beta: z.optional(z.number()),
  desirable_weight: z.optional(z.number()),
  undesirable_weight: z.optional(z.number()),
  reward_function: z.optional(z.string()),
  chosen_settings: z.optional(chosenSchema.check(z.describe('What of them was chosen when it was started.'))),
  losses: z.optional(
    z
      .array(lossPointSchema)
      .check(
        z.maxLength(MAX_LOSS_POINTS),
        z.describe('Training loss by step, thinned: both ends and the extremes are kept.'),
      ),
  ),
});

/** ASSUMED: a run of another trainer also has the settings that it wrote down, by the trainer's own names. */
export const jobExperimentSchema = z.catchall(
  experimentSchema,
  z.union([z.string(), z.number(), z.boolean(), z.null()]).check(z.describe('A setting of another trainer.')),
);

/** Names that a setting of another trainer can't have. */
export const JOB_EXPERIMENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(experimentSchema.shape));

export const jobSchema = z.strictObject({
  id: uuidSchema,
  name: z.string(),
  snapshot_id: uuidSchema,
  status: z.enum(JOB_STATUSES),
  answer_shape: z.optional(z.enum(ANSWER_SHAPES).check(z.describe('What the answers of its snapshot are.'))),
  main_measure: z.optional(
    z.string().check(z.describe('The measure that a person chose to compare the runs of its dataset by.')),
  ),
  launcher: z.optional(z.string().check(z.describe('The cluster that its runs were given to.'))),
  halving: z.optional(
    z
      .strictObject({
        eta: z.int(),
        min_share: z.number(),
        stopped_early: countSchema.check(z.describe('Runs that ended because others were better.')),
        seconds: z.number().check(z.describe('Trained so far by all runs of the job.')),
        seconds_saved: z.number().check(z.describe('What the rest of those that were stopped early would have taken.')),
      })
      .check(z.describe('Of a job that stops poor candidates early.')),
  ),
  experiments: z.array(jobExperimentSchema),
});

/** The name of a measure in `held_out`; null: the one that fits the answers. */
export const mainMeasureSchema = z.strictObject({
  // A text without control characters, which a database refuses.
  measure: z.nullable(z.string().check(z.minLength(1), maxCharacters(200), oneLineCheck)),
});

/** Settings of other trainers are left out of the type: they have any name. */
export type JobExperiment = z.infer<typeof experimentSchema>;
export type Job = Omit<z.infer<typeof jobSchema>, 'experiments'> & { readonly experiments: readonly JobExperiment[] };
