// Files of other tools as evaluations.
import * as z from 'zod/mini';
import { fileSchema, oneLineCheck, uuidSchema, wholePairsCheck, wordsSchema } from '#core/contract/schemas.ts';
import { IMPORT_TOOLS } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';
import { runSchema } from './evaluationRuns.ts';
import { evaluationSchema } from './evaluations.ts';

/** The form but for its file. */
export const importFieldsSchema = z.strictObject({
  project_id: uuidSchema,
  name: z
    .optional(wordsSchema(EVALUATION_LIMITS.name).check(oneLineCheck, wholePairsCheck))
    .check(z.describe('Of the evaluation; absent: as the file calls it.')),
});

export const importFormSchema = z.extend(importFieldsSchema, { file: fileSchema });

export const evaluationImportSchema = z.strictObject({
  evaluation: evaluationSchema,
  run: z.nullable(runSchema).check(z.describe('With the answers of the file; null: it has none.')),
  tool: z.enum(IMPORT_TOOLS),
  problems: z.array(z.string()).check(z.describe('What was not read, and why: sentences.')),
});
