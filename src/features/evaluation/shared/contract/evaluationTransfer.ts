// Evaluations in the file of a project: each with its sets of rows and its versions. Runs stay where they are.
import * as z from 'zod/mini';
import { countSchema } from '#core/contract/schemas.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';
import { evaluationRowSchema } from './evaluationRow.ts';
import { evaluationSchema } from './evaluations.ts';

const { name, is_default, models, repeats, baseline, source, prompt, system, checks, settings } =
  evaluationSchema.shape;
const versionSchema = z.int().check(z.minimum(1), z.maximum(EVALUATION_LIMITS.versions));

export const evaluationFields = { name, is_default, version: versionSchema, models, repeats, baseline };

/** `set`: the number of a set of rows in its evaluation. */
export const evaluationRowsFields = {
  set: countSchema,
  source,
  first: countSchema,
  rows: z.array(evaluationRowSchema).check(z.minLength(1), z.maxLength(EVALUATION_LIMITS.rows)),
};

export const evaluationVersionFields = { set: countSchema, version: versionSchema, prompt, system, checks, settings };
