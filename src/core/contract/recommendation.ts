// The recommendation record (SPEC 2.2, 4.2): strict schemas for what our service sends.
// recommendationReader.ts reads the records of other services.
import * as z from 'zod/mini';
import { OBJECTIVES } from './trainingSettings.ts';
import { uuidSchema } from './schemas.ts';
import { RECOMMENDATION_STATUSES } from './statuses.ts';

export const hyperparametersSchema = z.strictObject({
  n_epochs: z.int(),
  batch_size: z.int(),
  learning_rate_multiplier: z.number(),
  // ASSUMED: not in SPEC. Of rows that are for DPO or KTO.
  objective: z.optional(z.enum(OBJECTIVES)),
});

/**
 * ASSUMED: ours. Scripts of the hosted studio train all that is `recommended` and wait for its end, so what waits here for ever
 * must not be.
 */
const elsewhereSchema = z
  .optional(z.boolean())
  .check(
    z.describe('true: recommended to be trained elsewhere, because nothing of this studio trains the base model.'),
  );

export const modelRecommendationSchema = z.strictObject({
  base_model_id: z.string(),
  recommended: z.boolean(),
  recommended_elsewhere: elsewhereSchema,
  full_hyperparameters: hyperparametersSchema,
  lora_hyperparameters: hyperparametersSchema,
  reason_for_recommendation: z.string(),
});

/** A proposed experiment as it is stored. */
export const proposedExperimentSchema = z.strictObject({
  base_model_id: z.string(),
  batch_size: z.int(),
  learning_rate_multiplier: z.number(),
  n_epochs: z.int(),
  lora: z.boolean(),
  objective: z.optional(z.enum(OBJECTIVES)),
  recommended: z.boolean(),
  recommended_elsewhere: elsewhereSchema,
  reason_for_recommendation: z.string(),
});

/** ASSUMED: `training_type` is not in SPEC. The SDK of the hosted studio reads it, and makes jobs of what it says. */
export const experimentRecommendationSchema = z.extend(proposedExperimentSchema, {
  training_type: z.enum(['full', 'lora']),
});

export const recommendationSchema = z.strictObject({
  snapshot_id: uuidSchema,
  status: z.enum(RECOMMENDATION_STATUSES),
  recommended_models: z.array(modelRecommendationSchema),
  recommended_experiments: z.array(experimentRecommendationSchema),
  // ASSUMED: not in SPEC. Why it failed; sent with status `failed` only.
  error: z.optional(z.string()),
});

export type Hyperparameters = z.infer<typeof hyperparametersSchema>;
export type ModelRecommendation = z.infer<typeof modelRecommendationSchema>;
export type ProposedExperiment = z.infer<typeof proposedExperimentSchema>;
/** The record as SPEC 2.2 defines it and as our service sends it. */
export type Recommendation = z.infer<typeof recommendationSchema>;
