// Traces on the wire. Fields are those of the hosted studio's API, in its spelling; what is ours says so.
import * as z from 'zod/mini';
import {
  countSchema,
  maxCharacters,
  noNulCheck,
  storedCountSchema,
  uuidSchema,
  wholeTextSchema,
} from '#core/contract/schemas.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { BANDS, GOOD_SCORE, TRACE_LIMITS } from './traceLimits.ts';

const modelIdSchema = z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters), noNulCheck);
const textSchema = z.string().check(z.minLength(1), maxCharacters(TRACE_LIMITS.text));
const scoreSchema = z.number().check(z.minimum(0), z.maximum(1));
const feedbackSchema = z.string().check(maxCharacters(TRACE_LIMITS.feedback));

/** Whether two spellings of an id do not contradict each other. */
const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one == null || other == null || one.toLowerCase() === other.toLowerCase();

/** A trace as it is sent. Both spellings, because the hosted studio's reference has one and its scripts the other. */
const sentTraceSchema = z
  .object({
    modelId: z.optional(modelIdSchema),
    model_id: z.optional(modelIdSchema.check(z.describe('The same as `modelId`.'))),
    input: textSchema,
    output: textSchema,
    score: z.optional(z.nullable(scoreSchema)),
    feedback: z.optional(z.nullable(feedbackSchema)),
    projectId: z.optional(z.nullable(uuidSchema)),
    project_id: z.optional(z.nullable(uuidSchema)),
  })
  .check(
    z.refine(({ modelId, model_id }) => (modelId ?? model_id) !== undefined, {
      error: 'is required',
      path: ['modelId'],
    }),
    z.refine(({ modelId, model_id }) => modelId === undefined || model_id === undefined || modelId === model_id, {
      error: 'and modelId say different things',
      path: ['model_id'],
    }),
    z.refine(({ projectId, project_id }) => isSame(projectId, project_id), {
      error: 'and projectId say different things',
      path: ['project_id'],
    }),
    // One spelling each: a document can't say that two fields are equal.
    z.meta({
      oneOf: [{ required: ['modelId'] }, { required: ['model_id'] }],
      not: { required: ['projectId', 'project_id'] },
    }),
  );

const newTraceSchema = z.pipe(
  sentTraceSchema,
  z.transform(({ modelId, model_id, projectId, project_id, input, output, score, feedback }) => ({
    modelId: modelId ?? model_id ?? '',
    projectId: (projectId ?? project_id ?? null)?.toLowerCase() ?? null,
    input,
    output,
    score: score ?? null,
    feedback: feedback ?? null,
  })),
);
export type NewTrace = z.infer<typeof newTraceSchema>;

/** `POST .../traces`: several, or one. */
export const newTracesSchema = z.union([
  z.array(newTraceSchema).check(z.minLength(1), z.maxLength(TRACE_LIMITS.added)),
  newTraceSchema,
]);

export const PROCESSING = ['none', 'processing', 'failed'] as const;

const traceFields = {
  id: uuidSchema,
  createdAt: z.string(),
  modelId: z.string(),
  projectId: z.nullable(uuidSchema),
  input: z.string(),
  output: z.string(),
  score: z.nullable(scoreSchema).check(z.describe('null: not scored yet.')),
  feedback: z.nullable(z.string()),
  addedToDataset: z.boolean(),
  processingStatus: z
    .enum(PROCESSING)
    .check(z.describe('Of a correction for a dataset: none has been asked for, it is made now, or it has failed.')),
  reason: z.nullable(z.string()).check(z.describe('Why the last attempt to add it to a dataset failed. Ours.')),
  datasetId: z.nullable(uuidSchema).check(z.describe('That it was added to, or is corrected for. Ours.')),
};

export const traceSchema = z.strictObject(traceFields);
export type Trace = z.infer<typeof traceSchema>;

export const wholeTraceSchema = z.strictObject({
  ...traceFields,
  // ASSUMED: the hosted studio's reference names the field without saying more; no conversation here spans traces.
  conversationId: z.nullable(z.string()).check(z.describe('Always null here.')),
  messages: z
    .nullable(z.array(z.looseObject({ role: z.string() })))
    .check(z.describe('The conversation before the output, of a chat that this studio answered. Ours.')),
});

export const traceListSchema = z.strictObject({
  results: z.array(traceSchema),
  total: countSchema.check(z.describe('Of all that the filters leave; of a search, those of this answer.')),
  next: z.nullable(z.string()).check(z.describe('`after` of the next page; null: this is the last one. Ours.')),
});
export type TraceList = z.infer<typeof traceListSchema>;

/** Of several the list of results, of one the trace. */
export const tracesMadeSchema = z.union([
  z.strictObject({ results: z.array(z.strictObject({ traceId: uuidSchema, success: z.boolean() })) }),
  traceSchema,
]);

export const SORTS = ['createdAt', 'score'] as const;
export const ORDERS = ['asc', 'desc'] as const;

/** Names of models between commas. */
const modelIdsSchema = z.pipe(
  z.string().check(noNulCheck),
  z.transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ]),
);

export const traceQuerySchema = z.object({
  page: z.optional(
    wholeTextSchema(1, 1_000_000).check(
      z.describe(
        `From 1, each of ${TRACE_LIMITS.page} traces, and at most ${TRACE_LIMITS.skipped} of them after the nearest page that was read before.`,
      ),
    ),
  ),
  after: z.optional(
    z
      .string()
      .check(
        z.regex(/^(s(0|1|0\.\d{1,25}|\d(\.\d{1,20})?e-\d{1,3})_)?\d{1,18}$/, 'must be the `next` of an earlier answer'),
        z.describe('`next` of the page before, which counts before `page`. Ours.'),
      ),
  ),
  modelIds: z.optional(
    modelIdsSchema.check(
      z.refine((names) => names.length <= TRACE_LIMITS.models, `must name at most ${TRACE_LIMITS.models} models`),
      z.describe('Ids of models between commas.'),
    ),
  ),
  projectId: z.optional(uuidSchema.check(z.describe('UUID of a project.'))),
  sortBy: z.optional(z.enum(SORTS).check(z.describe('`createdAt` if absent. Traces without a score come last.'))),
  sortOrder: z.optional(z.enum(ORDERS).check(z.describe('`desc` if absent.'))),
  band: z.optional(z.enum(BANDS).check(z.describe(`weak: below ${GOOD_SCORE}; good: from it on. Ours.`))),
  search: z.optional(
    z
      .string()
      .check(
        maxCharacters(TRACE_LIMITS.search),
        noNulCheck,
        z.describe(
          'A text in input or output. It answers after a short time with what it has found; `next` goes on. Ours.',
        ),
      ),
  ),
});

/** `PUT .../traces/{traceId}`. */
export const traceChangeSchema = z
  .object({
    score: z.optional(z.nullable(scoreSchema.check(z.describe('null takes the score away. Ours.')))),
    feedback: z.optional(z.nullable(feedbackSchema)),
    projectId: z.optional(z.nullable(uuidSchema)),
  })
  .check(
    z.refine((change) => Object.values(change).some((value) => value !== undefined), {
      error: 'must have score, feedback or projectId',
    }),
    z.meta({ anyOf: [{ required: ['score'] }, { required: ['feedback'] }, { required: ['projectId'] }] }),
  );
export type TraceChange = z.infer<typeof traceChangeSchema>;

export const addQuerySchema = z.object({
  datasetId: z.optional(uuidSchema.check(z.describe("UUID of the dataset; absent: the project's first one. Ours."))),
});

export const traceAddedSchema = z.strictObject({
  traceId: uuidSchema,
  status: z
    .enum(['added', 'queued', 'failed'])
    .check(
      z.describe('added: the row is there. queued: a model corrects the answer first. failed: `reason` says why.'),
    ),
  success: z.boolean(),
  datapointId: z.nullable(uuidSchema),
  reason: z.nullable(z.string()).check(z.describe('Ours.')),
});
export type TraceAdded = z.infer<typeof traceAddedSchema>;

export const traceCountsSchema = z.strictObject({
  models: z.array(z.strictObject({ modelId: z.string(), unscored: countSchema, weak: countSchema, good: countSchema })),
});
export type TraceCounts = z.infer<typeof traceCountsSchema>;

export const countsQuerySchema = z.object({ projectId: traceQuerySchema.shape.projectId });

/** What a project does with traces. */
export const traceSettingsSchema = z.strictObject({
  keeps_chats: z
    .boolean()
    .check(
      z.describe(
        "Whether chat/completions keeps answers of the project's models, and those to requests that name it, as traces: " +
          `those whose question, answer and conversation have at most ${TRACE_LIMITS.text} characters each.`,
      ),
    ),
  keep_days: z
    .nullable(storedCountSchema.check(z.minimum(1), z.maximum(TRACE_LIMITS.days)))
    .check(z.describe('Traces of the project are deleted after so many days; null: never.')),
  corrector: z
    .nullable(modelIdSchema)
    .check(z.describe('The model that corrects weak answers; null: the first of an engine or of `--model`.')),
});
export type TraceSettings = z.infer<typeof traceSettingsSchema>;

export const storedSettingsSchema = z.extend(traceSettingsSchema, {
  left_out: countSchema.check(z.describe('Chats so far that were too large to be kept.')),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

export const NO_SETTINGS: StoredSettings = { keeps_chats: false, keep_days: null, corrector: null, left_out: 0 };
