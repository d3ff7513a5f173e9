// What starts trainings: jobs and recommendations, as a caller sends them.
// ASSUMED: not in SPEC. Paths and fields are those of the hosted studio's SDK (`finetuning.create`,
// `recommendations.generate`); `refinetune_from_experiment_id` and `training_type` come from its later revision.
import * as z from 'zod/mini';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import {
  findContradiction,
  OBJECTIVE_RULES,
  SETTING_NAMES,
  settingShape,
  toChosen,
  toSetting,
} from '#core/contract/trainingSettings.ts';
import { launcherNameSchema } from './launchers.ts';
import { maxCharacters, oneLineCheck, uuidSchema, wordsSchema } from '#core/contract/schemas.ts';

export const TRAINING_TYPES = ['full', 'lora', 'qlora'] as const;
export type TrainingType = (typeof TRAINING_TYPES)[number];

const ADAPTER_SETTINGS = SETTING_NAMES.filter((name) => toSetting(name).isOfAdapter);

const newExperimentSchema = z
  .object({
    ...settingShape,
    base_model_id: z.string().check(z.minLength(1), maxCharacters(JOB_LIMITS.modelCharacters)),
    batch_size: z.int().check(z.minimum(JOB_LIMITS.batch.min), z.maximum(JOB_LIMITS.batch.max)),
    n_epochs: z.int().check(z.minimum(JOB_LIMITS.epochs.min), z.maximum(JOB_LIMITS.epochs.max)),
    learning_rate_multiplier: z
      .number()
      .check(
        z.minimum(JOB_LIMITS.rate.min),
        z.maximum(JOB_LIMITS.rate.max),
        z.describe('In the local studio it is the peak learning rate itself.'),
      ),
    lora: z.optional(
      z.nullable(z.boolean().check(z.describe('false: all weights are trained. This or `training_type` is needed.'))),
    ),
    training_type: z.optional(z.nullable(z.enum(TRAINING_TYPES).check(z.describe('Instead of `lora`.')))),
    refinetune_from_experiment_id: z.optional(
      z.nullable(uuidSchema.check(z.describe('Goes on from the model of this experiment.'))),
    ),
  })
  .check(
    z.refine(
      ({ lora, training_type }) => lora == null || training_type == null || lora === (training_type !== 'full'),
      { error: 'and training_type say different things', path: ['lora'] },
    ),
    z.refine(({ lora, training_type }) => lora != null || training_type != null, {
      error: `must be ${TRAINING_TYPES.map((type) => `"${type}"`).join(' or ')}, because lora does not say it either`,
      path: ['training_type'],
    }),
    z.superRefine((given, context) => {
      const isFull = given.training_type === 'full' || given.lora === false;
      const problem = findContradiction(toChosen(given), isFull);
      if (problem !== null)
        context.issues.push({ code: 'custom', message: problem.reason, path: [problem.name], input: given });
    }),
    z.meta({
      anyOf: [
        { required: ['lora'], properties: { lora: { type: 'boolean' } } },
        { required: ['training_type'], properties: { training_type: { type: 'string' } } },
      ],
      allOf: [
        ...OBJECTIVE_RULES,
        {
          not: {
            required: ['lora', 'training_type'],
            anyOf: [
              { properties: { lora: { const: true }, training_type: { const: 'full' } } },
              { properties: { lora: { const: false }, training_type: { enum: ['lora', 'qlora'] } } },
            ],
          },
        },
        {
          not: {
            allOf: [
              {
                anyOf: [
                  { required: ['lora'], properties: { lora: { const: false } } },
                  { required: ['training_type'], properties: { training_type: { const: 'full' } } },
                ],
              },
              {
                anyOf: ADAPTER_SETTINGS.map((name) => ({
                  required: [name],
                  properties: { [name]: { not: { type: 'null' } } },
                })),
              },
            ],
          },
        },
      ],
    }),
  );

const { eta, share, usualEta, usualShare } = JOB_LIMITS.halving;

const halvingSchema = z.strictObject({
  eta: z.optional(
    z.nullable(
      z
        .int()
        .check(
          z.minimum(eta.min),
          z.maximum(eta.max),
          z.describe(`Of so many candidates one goes on, the best. Missing: ${usualEta}.`),
        ),
    ),
  ),
  min_share: z.optional(
    z.nullable(
      z
        .number()
        .check(
          z.minimum(share.min),
          z.maximum(share.max),
          z.describe(
            'Share of the steps at which candidates are compared first; each next time is `eta` times as far. Missing: it ' +
              `follows from their number, and is at least ${usualShare}.`,
          ),
        ),
    ),
  ),
});

/** `POST /api/v1/public/finetuning/create`. Further fields, such as those of a recommendation, are ignored. */
export const createJobSchema = z.object({
  snapshot_id: uuidSchema,
  name: wordsSchema(JOB_LIMITS.name).check(oneLineCheck),
  experiments: z.array(newExperimentSchema).check(z.minLength(1), z.maxLength(JOB_LIMITS.experiments)),
  // Strict: a misspelt wish would train everything to its end.
  studio: z.optional(
    z.nullable(
      z.strictObject({
        launcher: z.optional(
          z.nullable(
            launcherNameSchema.check(z.describe('Where its runs are trained. Missing: here, or by a worker.')),
          ),
        ),
        halving: z.optional(
          z.nullable(
            halvingSchema.check(
              z.describe(
                'Successive halving: candidates are compared by their validation loss after a share of their steps, the ' +
                  'best go on, and the others stop and keep their checkpoints. Runs that differ by their seed alone are one ' +
                  'candidate. Missing: all train to their ends.',
              ),
            ),
          ),
        ),
      }),
    ),
  ),
});

export const createdJobSchema = z.strictObject({ job_id: uuidSchema });

/** `POST /api/v1/public/recommendations/generate`, and its answer. */
export const generateRecommendationSchema = z.object({ snapshot_id: uuidSchema });

export type CreateJob = z.infer<typeof createJobSchema>;
export type ChosenHalving = z.infer<typeof halvingSchema>;
export type NewExperiment = CreateJob['experiments'][number];

/** What is trained. The schema asks for one of both fields: what nobody chose must not train all weights. */
export function toNewTrainingType({
  lora,
  training_type,
}: Pick<NewExperiment, 'lora' | 'training_type'>): TrainingType {
  return training_type ?? (lora === true ? 'lora' : 'full');
}

/** The value of `IDEMPOTENCY_HEADER` (trainingRoutes.ts). */
export const idempotencyKeySchema = z
  .string()
  .check(
    z.regex(/^[\u0021-\u007e]{1,200}$/, 'must be 1 to 200 letters, digits or signs without spaces'),
    z.describe(
      'A text of your own for this request. The same key with the same body gives the same job again; with another body: 409.',
    ),
  );

/** Why a snapshot with so many training rows can't be trained; null: it can. */
export const findRowShortage = (count: number): string | null =>
  count >= JOB_LIMITS.trainingRows
    ? null
    : `The snapshot has ${count} training ${count === 1 ? 'row' : 'rows'}. A training needs at least ` +
      `${JOB_LIMITS.trainingRows}: add rows to the dataset and make another snapshot.`;
