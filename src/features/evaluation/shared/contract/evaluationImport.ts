// Files of other tools as evaluations.
import * as z from 'zod/mini';
import {
  countSchema,
  fileSchema,
  oneLineCheck,
  uuidSchema,
  wholePairsCheck,
  wordsSchema,
} from '#core/contract/schemas.ts';
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

export type ImportFields = z.infer<typeof importFieldsSchema>;

export const importFormSchema = z.extend(importFieldsSchema, { file: fileSchema });

export const evaluationImportSchema = z.strictObject({
  evaluation: evaluationSchema,
  run: z.nullable(runSchema).check(z.describe('With the answers of the file; null: it has none.')),
  tool: z.enum(IMPORT_TOOLS),
  problems: z.array(z.string()).check(z.describe('What was not read, and why: sentences.')),
});
export type EvaluationImport = z.infer<typeof evaluationImportSchema>;

const foundEvaluationSchema = z.strictObject({
  root_id: uuidSchema.check(z.describe('Of the folder of runs that it lies in.')),
  root: z.string().check(z.describe('The path of that folder.')),
  path: z.string().check(z.describe('Below the folder.')),
  bytes: countSchema,
  modified_at: z.number().check(z.describe('Unix milliseconds.')),
  tool: z
    .nullable(z.enum(IMPORT_TOOLS))
    .check(z.describe('null: the file is damaged, or so large that it is read when it is imported.')),
  name: z.nullable(z.string()),
  models: z.array(z.string()).check(z.describe('At most 20.')),
  rows: z.nullable(countSchema),
  answers: z.nullable(countSchema),
  made_at: z.nullable(z.string()).check(z.describe('As the file says it.')),
  problem: z.nullable(z.string()).check(z.describe('Why it can’t be imported, one sentence.')),
});

export const foundEvaluationListSchema = z.strictObject({
  files: z.array(foundEvaluationSchema).check(z.describe('The newest first, at most 100.')),
  left_out: countSchema.check(z.describe('Older files that are not listed.')),
});
export type FoundEvaluationList = z.infer<typeof foundEvaluationListSchema>;

export const foundImportSchema = z.extend(importFieldsSchema, {
  root_id: uuidSchema,
  path: z.string().check(z.minLength(1), z.maxLength(4096), z.describe('Below the folder, as it was listed.')),
});
