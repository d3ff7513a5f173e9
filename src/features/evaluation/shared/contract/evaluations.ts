// An evaluation: rows, what is asked of them, checks and models. Its versions stay.
// ASSUMED: not in SPEC. Only a local studio has evaluations.
import * as z from 'zod/mini';
import { chatRequestSchema, samplingShape } from '#core/contract/chatRequest.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  authorSchema,
  countSchema,
  maxCharacters,
  noNulCheck,
  oneLineCheck,
  uuidSchema,
  wholePairsCheck,
  wholeTextSchema,
  wordsSchema,
} from '#core/contract/schemas.ts';
import { evaluationCheckSchema } from './evaluationChecks.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';
import { evaluationRowSchema, placedRowSchema } from './evaluationRow.ts';
import { runSummarySchema } from './evaluationRuns.ts';

const nameSchema = wordsSchema(EVALUATION_LIMITS.name).check(oneLineCheck, wholePairsCheck);
const templateSchema = z.nullable(
  z.string().check(maxCharacters(EVALUATION_LIMITS.template), noNulCheck, wholePairsCheck),
);
const modelSchema = z
  .string()
  .check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters), noNulCheck, wholePairsCheck);

const { max_completion_tokens, seed, stop, response_format, tools, tool_choice } = chatRequestSchema.shape;
const settingFields = { ...samplingShape, max_completion_tokens, seed, stop, response_format, tools, tool_choice };

/** What each request has beside model and messages. */
const evaluationSettingsSchema = z
  .strictObject(settingFields)
  .check(
    z.describe(
      'Fields of a chat request that each request has. `temperature` is 0 where it is absent. Above 0 the seed of a repeat is ' +
        '`seed` plus its number, from 1.',
    ),
  );

const limitField = z
  .optional(z.int().check(z.minimum(1), z.maximum(EVALUATION_LIMITS.rows)))
  .check(z.describe('How many rows at most, evenly spread over all.'));

/** Where rows come from. The service reads those of a snapshot and of a run; others are sent. */
const rowSourceSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('rows'), name: z.optional(nameSchema) }),
    z.strictObject({ kind: z.literal('snapshot'), snapshot_id: uuidSchema, limit: limitField }),
    z.strictObject({
      kind: z.literal('run'),
      run_id: uuidSchema,
      model: z.optional(modelSchema).check(z.describe('Rows that this model failed; absent: that any model failed.')),
      limit: limitField,
    }),
    z.strictObject({ kind: z.literal('playground'), name: z.optional(nameSchema) }),
    z.strictObject({ kind: z.literal('traces'), name: z.optional(nameSchema) }),
  ])
  .check(
    z.describe(
      '`snapshot`: the rows that were held out; `run`: those that models failed in a run of an evaluation. Both are read by ' +
        'the studio; of the others `rows` are sent.',
    ),
  );

const contentFields = {
  prompt: templateSchema.check(
    z.describe('The question of rows with variables, with `{{name}}` for each; null: all rows have messages.'),
  ),
  system: templateSchema.check(z.describe('The system message of rows that bring none; null: none.')),
  checks: z
    .array(evaluationCheckSchema)
    .check(z.maxLength(EVALUATION_LIMITS.checks), z.describe('An answer passes when all that count pass.')),
  settings: evaluationSettingsSchema,
};

const planFields = {
  models: z
    .array(modelSchema)
    .check(z.maxLength(EVALUATION_LIMITS.models), z.describe('Ids or aliases of `GET /api/v1/models`, each once.')),
  repeats: z
    .int()
    .check(z.minimum(1), z.maximum(EVALUATION_LIMITS.repeats), z.describe('Answers of each model to each row.')),
  baseline: z
    .nullable(modelSchema)
    .check(
      z.describe(
        'The one of `models` that others are compared with; null: the base model of others among them, else the first.',
      ),
    ),
};

const datasetField = z
  .nullable(uuidSchema)
  .check(
    z.describe('The dataset whose runs it measures; null: none. Of rows of a snapshot it is that of the snapshot.'),
  );
const defaultField = z
  .boolean()
  .check(
    z.describe(
      'It measures each new run of its dataset by itself, and its score is a measure of them. One of a dataset.',
    ),
  );

const newFields = {
  name: nameSchema,
  dataset_id: z.optional(datasetField),
  is_default: z.optional(defaultField),
  prompt: z.optional(contentFields.prompt),
  system: z.optional(contentFields.system),
  checks: z.optional(contentFields.checks),
  settings: z.optional(contentFields.settings),
  models: z.optional(planFields.models),
  repeats: z.optional(planFields.repeats),
  baseline: z.optional(planFields.baseline),
};

const rowsField = z.array(evaluationRowSchema).check(z.minLength(1), z.maxLength(EVALUATION_LIMITS.rows));

export const newEvaluationSchema = z.strictObject({
  project_id: uuidSchema,
  ...newFields,
  source: rowSourceSchema,
  rows: z.optional(rowsField).check(z.describe('Of a source that the studio does not read itself.')),
});

export const evaluationChangeSchema = z.strictObject({
  revision: z
    .int()
    .check(z.minimum(1), z.describe('That of the evaluation that is changed. Another one is answered 409.')),
  ...newFields,
  name: z.optional(nameSchema),
  source: z.optional(rowSourceSchema).check(z.describe('Of other rows; absent: the rows stay.')),
  rows: z.optional(rowsField),
});

export const evaluationSchema = z.strictObject({
  id: uuidSchema,
  project_id: uuidSchema,
  name: z.string(),
  dataset_id: datasetField,
  is_default: defaultField,
  revision: countSchema.check(z.describe('Counts up with each change.')),
  version: countSchema.check(
    z.describe('Counts up with each change of rows, prompt, system message, checks or settings; from 1.'),
  ),
  ...contentFields,
  ...planFields,
  source: rowSourceSchema,
  row_count: countSchema,
  tags: z
    .record(z.string(), z.array(z.string()))
    .check(
      z.describe(`The tags of its rows with their values, the most frequent ${EVALUATION_LIMITS.tagValues} of each.`),
    ),
  created_at: z.string(),
  created_by: authorSchema,
  updated_at: z.string(),
  updated_by: authorSchema,
  latest_run: z
    .nullable(runSummarySchema)
    .check(z.describe('The newest; one that failed or was cancelled only where there is no other.')),
});

export const evaluationListSchema = z.strictObject({ evaluations: z.array(evaluationSchema) });

export const evaluatorListSchema = z.strictObject({ evaluators: z.array(z.strictObject({ name: z.string() })) });

export const evaluationsQuerySchema = z.strictObject({
  project_id: uuidSchema,
  dataset_id: z.optional(uuidSchema),
});

const CHANGED = ['rows', 'prompt', 'checks', 'settings'] as const;

export const versionListSchema = z.strictObject({
  versions: z.array(
    z.strictObject({
      version: countSchema,
      created_at: z.string(),
      created_by: authorSchema,
      row_count: countSchema,
      changed: z.array(z.enum(CHANGED)).check(z.describe('What differs from the version before.')),
    }),
  ),
});

const versionField = z
  .optional(wholeTextSchema(1, EVALUATION_LIMITS.versions))
  .check(z.describe('The latest if absent.'));

export const versionQuerySchema = z.strictObject({ version: versionField });

const pageFields = {
  offset: z.optional(wholeTextSchema(0, 1_000_000)).check(z.describe('Rows that are left out before the page.')),
  limit: z
    .optional(wholeTextSchema(1, EVALUATION_LIMITS.page))
    .check(z.describe(`Rows of the page, ${EVALUATION_LIMITS.pageDefault} if absent.`)),
};

export const evaluationRowsQuerySchema = z.strictObject({ version: versionField, ...pageFields });

export const evaluationRowPageSchema = z.strictObject({
  version: countSchema,
  total: countSchema,
  rows: z.array(placedRowSchema),
});

export type EvaluationSettings = Readonly<z.infer<typeof evaluationSettingsSchema>>;
export type RowSource = Readonly<z.infer<typeof rowSourceSchema>>;
export type NewEvaluation = Readonly<z.infer<typeof newEvaluationSchema>>;
export type EvaluationChange = Readonly<z.infer<typeof evaluationChangeSchema>>;
export type Evaluation = Readonly<z.infer<typeof evaluationSchema>>;
export type EvaluationVersions = Readonly<z.infer<typeof versionListSchema>>;
export type VersionChange = (typeof CHANGED)[number];
