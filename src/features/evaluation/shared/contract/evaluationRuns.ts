// Runs of an evaluation: models answer its rows, and its checks judge the answers.
// ASSUMED: not in SPEC. Only a local studio has evaluations.
import * as z from 'zod/mini';
import { chatRequestSchema } from '#core/contract/chatRequest.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  authorSchema,
  countSchema,
  maxCharacters,
  noNulCheck,
  wholePairsCheck,
  uuidSchema,
  wholeTextSchema,
} from '#core/contract/schemas.ts';
import { scorerIdSchema } from './evaluationChecks.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';
import { placedRowSchema } from './evaluationRow.ts';

const RUN_STATUSES = ['queued', 'running', 'waiting', 'completed', 'cancelled', 'failed'] as const;
const SIDES = ['better', 'worse', 'undecided'] as const;
const OUTCOMES = ['pass', 'fail', 'not_checked'] as const;

const statusSchema = z
  .enum(RUN_STATUSES)
  .check(
    z.describe(
      'waiting: for the reason in `reason`, and it goes on by itself. completed: each row was asked. cancelled, failed: it can be resumed.',
    ),
  );

const shareSchema = z.number().check(z.minimum(0), z.maximum(1));

/** A pass rate with its interval. */
const rateSchema = z.strictObject({
  passed: countSchema,
  total: countSchema.check(z.describe('Answers that passed or failed. Each of the repeats is one.')),
  rate: z.nullable(shareSchema).check(z.describe('Each row counts the same; null: nothing was judged.')),
  low: shareSchema.check(z.describe('Bounds of the 95 % interval; answers to one row count as one observation.')),
  high: shareSchema,
  not_checked: countSchema,
  mean_score: z.nullable(shareSchema).check(z.describe('Mean of the scores of judged answers; null: none has one.')),
});

const runModelSchema = z.strictObject({
  model: z.string().check(z.describe('As it was asked for.')),
  fingerprints: z
    .array(z.string())
    .check(z.describe('Weights, adapter, engine and settings that answered; more than one: they changed in between.')),
  answers: countSchema.check(z.describe('Those that are wanted.')),
  done: countSchema,
  failed: countSchema.check(z.describe('Rows without an answer, each with its reason.')),
  prompt_tokens: countSchema,
  completion_tokens: countSchema,
  seconds: z
    .nullable(z.number())
    .check(z.describe('Sum of the time of its answers; many are made at once. null: unknown of an imported one.')),
  rate: rateSchema.check(z.describe('Of the checks that count.')),
});

export const runSchema = z.strictObject({
  id: uuidSchema,
  evaluation_id: uuidSchema,
  number: countSchema.check(z.describe('Of the runs of the evaluation, from 1.')),
  version: countSchema.check(z.describe('Of rows, prompt and settings.')),
  checks_version: countSchema.check(z.describe('Of the checks that judged its answers.')),
  status: statusSchema,
  reason: z.nullable(z.string()),
  next_try_at: z
    .nullable(z.string())
    .check(
      z.describe(
        'When a run whose models can’t answer is taken up again; others go on meanwhile. null: it is not put aside.',
      ),
    ),
  cause: z.enum(['person', 'training']).check(z.describe('training: a run of the dataset has ended.')),
  repeats: countSchema,
  baseline: z.string(),
  row_count: countSchema,
  answers: countSchema,
  done: countSchema,
  failed: countSchema,
  judged: countSchema.check(z.describe('Answers that all checks have judged.')),
  answers_per_second: z.nullable(z.number()).check(z.describe('Of the last minute; null: it does not go on.')),
  seconds_left: z.nullable(z.number()).check(z.describe('Until each row was asked; null: unknown, or all were.')),
  models: z.array(runModelSchema),
  created_at: z.string(),
  created_by: authorSchema,
  started_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
});

export const runSummarySchema = z.strictObject({
  id: uuidSchema,
  number: countSchema,
  status: statusSchema,
  answers: countSchema,
  done: countSchema,
  failed: countSchema,
  judged: countSchema.check(z.describe('Answers that all checks have judged.')),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
  rates: z.array(z.strictObject({ model: z.string(), rate: rateSchema })),
});

const modelField = z
  .string()
  .check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters), noNulCheck, wholePairsCheck);

export const newRunSchema = z.strictObject({
  models: z
    .optional(z.array(modelField).check(z.minLength(1), z.maxLength(EVALUATION_LIMITS.models)))
    .check(z.describe('Those of the evaluation if absent.')),
  repeats: z
    .optional(z.int().check(z.minimum(1), z.maximum(EVALUATION_LIMITS.repeats)))
    .check(z.describe('That of the evaluation if absent.')),
});

export const runListSchema = z.strictObject({ runs: z.array(runSchema) });

const verdictSchema = z.strictObject({
  scorer: scorerIdSchema.check(z.describe('The check.')),
  outcome: z.enum(OUTCOMES),
  score: z.nullable(shareSchema),
  reason: z.nullable(z.string()).check(z.describe('Why it failed or was not checked, or a caveat about a pass.')),
});

const callSchema = z.strictObject({ name: z.string(), arguments: z.string() });

const answerFields = {
  model: z.string(),
  repeat: countSchema.check(z.describe('From 1.')),
  state: z.enum(['done', 'failed']),
  text: z.string().check(z.describe('Of a failed one what had come.')),
  reasoning: z.nullable(z.string()),
  tool_calls: z.array(callSchema),
  finish_reason: z.nullable(z.string()),
  error: z.nullable(z.string()).check(z.describe('Why there is no answer.')),
  prompt_tokens: z.nullable(countSchema),
  completion_tokens: z.nullable(countSchema),
  ms: z.nullable(z.number()).check(z.describe('null: unknown, of an imported answer.')),
  outcome: z.nullable(z.enum(OUTCOMES)).check(z.describe('Of all checks that count; null: not judged yet.')),
  verdicts: z.array(verdictSchema),
};

const answerSchema = z.strictObject(answerFields);

export const answersQuerySchema = z.strictObject({
  offset: z.optional(wholeTextSchema(0, 1_000_000)).check(z.describe('Rows that are left out before the page.')),
  limit: z
    .optional(wholeTextSchema(1, EVALUATION_LIMITS.page))
    .check(z.describe(`Rows of the page, ${EVALUATION_LIMITS.pageDefault} if absent.`)),
  model: z.optional(modelField).check(z.describe('Whose answers the other fields are about; absent: those of any.')),
  scorer: z.optional(scorerIdSchema).check(z.describe('The check that `outcome` is of; absent: all that count.')),
  outcome: z
    .optional(z.enum([...OUTCOMES, 'error', 'differ']))
    .check(z.describe('Rows with such an answer. error: without one; differ: models or repeats have other outcomes.')),
  change: z
    .optional(z.enum(['regressed', 'improved', 'changed']))
    .check(
      z.describe(
        'Rows of whose answers a smaller share passes than of the baseline’s, a greater one, or both. The largest change comes ' +
          'first, regressions before improvements.',
      ),
    ),
  tag: z.optional(z.string().check(maxCharacters(EVALUATION_LIMITS.tagName))),
  value: z.optional(z.string().check(maxCharacters(EVALUATION_LIMITS.tagText))).check(z.describe('Of `tag`.')),
  search: z
    .optional(z.string().check(maxCharacters(EVALUATION_LIMITS.search), noNulCheck, wholePairsCheck))
    .check(z.describe('A text of the row or of an answer, in any case.')),
});

export const answerPageSchema = z.strictObject({
  total: countSchema.check(z.describe('Rows that the fields leave.')),
  rows: z.array(
    z.strictObject({
      ...placedRowSchema.shape,
      answers: z.array(answerSchema).check(z.describe('By model, then repeat.')),
    }),
  ),
});

/** Of one answer, in a path. */
export const answerPlaceQuerySchema = z.strictObject({
  model: modelField,
  repeat: z.optional(wholeTextSchema(1, EVALUATION_LIMITS.repeats)).check(z.describe('1 if absent.')),
});

export const wholeAnswerSchema = z.strictObject({
  ...answerFields,
  row: placedRowSchema,
  request: z.nullable(chatRequestSchema).check(z.describe('What was sent; null: the row could not be asked.')),
  request_hash: z.nullable(z.string()).check(z.describe('SHA-256 of it, in hex digits.')),
});

/** Of a comparison with the baseline. */
const testFields = {
  p: z
    .nullable(z.number())
    .check(
      z.describe(
        'Of the exact McNemar test; with repeats of the exact test of signs of the rows’ differences, and of the paired t test ' +
          'where rows or comparisons are many.',
      ),
    ),
  adjusted_p: z
    .nullable(z.number())
    .check(z.describe('Corrected for the number of comparisons (Holm): of models, of checks, or of tags.')),
  verdict: z
    .enum(SIDES)
    .check(z.describe('By `adjusted_p` below 0.05. undecided: these rows can’t tell the models apart.')),
};

const boundSchema = z.nullable(z.number()).check(z.describe('Of the 95 % interval; null: one row alone has none.'));

/** Of a check that judges by degrees. */
const meanScoreSchema = z
  .nullable(
    z.strictObject({
      mean: shareSchema.check(z.describe('Each row counts the same.')),
      low: boundSchema,
      high: boundSchema,
      difference: z.nullable(
        z.strictObject({
          rows: countSchema,
          value: z.number().check(z.describe('Its mean minus that of the baseline on the same rows.')),
          low: boundSchema,
          high: boundSchema,
          ...testFields,
        }),
      ),
    }),
  )
  .check(z.describe('Its scores from 0 to 1, compared by the paired t test; null: it only passes or fails.'));

const rateOfModel = {
  rate: rateSchema,
  difference: z
    .nullable(
      z.strictObject({
        rows: countSchema.check(z.describe('That both models have a verdict for.')),
        value: z.number().check(z.describe('Its rate minus that of the baseline on these rows, in points of percent.')),
        low: z
          .number()
          .check(z.describe('The 95 % interval of its rate minus that of the baseline, in points of percent.')),
        high: z.number(),
        ...testFields,
        improved: countSchema.check(z.describe('Rows of whose answers a greater share passes than of the baseline’s.')),
        regressed: countSchema,
      }),
    )
    .check(z.describe('null: it is the baseline, or no row was judged of both.')),
};

export const scoresQuerySchema = z.strictObject({
  baseline: z
    .optional(modelField)
    .check(z.describe('The model of the run that others are compared with; absent: the baseline of the run.')),
});

const agreementSchema = z
  .optional(
    z.strictObject({
      items: countSchema.check(z.describe('Answers that it and people have judged.')),
      kappa: z
        .nullable(z.number())
        .check(
          z.describe(`Cohen's kappa; null: not measured until people have judged ${EVALUATION_LIMITS.agreement}.`),
        ),
      low: z.nullable(z.number()),
      high: z.nullable(z.number()),
    }),
  )
  .check(z.describe('Of a judge: how far it agrees with people, over the answers of all models.'));

export const scoresSchema = z.strictObject({
  baseline: z.string(),
  checks_version: countSchema,
  comparisons: z
    .strictObject({ models: countSchema, checks: countSchema, tags: countSchema })
    .check(z.describe('How many comparisons are corrected together.')),
  models: z.array(
    z.strictObject({
      model: z.string(),
      ...rateOfModel,
      by_check: z.array(
        z.strictObject({ scorer: scorerIdSchema, ...rateOfModel, score: meanScoreSchema, agreement: agreementSchema }),
      ),
      by_tag: z.array(z.strictObject({ tag: z.string(), value: z.string(), ...rateOfModel })),
    }),
  ),
});

/** Whose fields. */
export const fieldsQuerySchema = z.strictObject({
  model: modelField,
  scorer: scorerIdSchema.check(z.describe('A check that judges JSON by field, or tool calls by argument.')),
});

export const fieldScoresSchema = z.strictObject({
  fields_left_out: countSchema.check(
    z.describe(
      `How many were left out after the first ${EVALUATION_LIMITS.fields}; ${EVALUATION_LIMITS.fieldsLeftOut} stands for more, too.`,
    ),
  ),
  fields: z.array(
    z.strictObject({
      name: z
        .string()
        .check(z.describe('`address.city`; of a tool call `get_weather.city`, and `tool` for which one.')),
      passed: countSchema,
      total: countSchema,
      rate: z.nullable(shareSchema),
      low: shareSchema,
      high: shareSchema,
      confusion: z
        .nullable(
          z.strictObject({
            values: z.array(z.string()).check(z.describe('Expected values as JSON, the most frequent first.')),
            counts: z
              .array(z.array(countSchema))
              .check(
                z.describe(
                  'Of each expected value how often each of `values` was answered, then another value, then none.',
                ),
              ),
          }),
        )
        .check(z.describe('null: it has many values, or is never expected.')),
    }),
  ),
});

export type FieldScores = Readonly<z.infer<typeof fieldScoresSchema>>;
export type RunStatus = (typeof RUN_STATUSES)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type Verdict = Readonly<z.infer<typeof verdictSchema>>;
export type EvaluationRun = Readonly<z.infer<typeof runSchema>>;
export type RunSummary = Readonly<z.infer<typeof runSummarySchema>>;
export type NewRun = Readonly<z.infer<typeof newRunSchema>>;
export type EvaluationAnswer = Readonly<z.infer<typeof answerSchema>>;
export type AnswersQuery = Readonly<z.output<typeof answersQuerySchema>>;
export type AnswerPage = Readonly<z.infer<typeof answerPageSchema>>;
export type WholeAnswer = Readonly<z.infer<typeof wholeAnswerSchema>>;
export type Scores = Readonly<z.infer<typeof scoresSchema>>;
export type Rate = Readonly<z.infer<typeof rateSchema>>;
