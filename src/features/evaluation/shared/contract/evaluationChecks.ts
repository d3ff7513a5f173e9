// The checks of an evaluation on the wire. The fields of a kind are those of `CheckSpec`, in snake case.
import * as z from 'zod/mini';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { maxCharacters, oneLineCheck, wholePairsCheck, wordsSchema } from '#core/contract/schemas.ts';
import { DEFAULT_THRESHOLDS, type CheckKind } from '#features/evaluation/shared/checks.ts';
import { SIMILARITY_MEASURES } from '#features/evaluation/shared/similarity.ts';
import { LENGTH_UNITS } from '#features/evaluation/shared/textLength.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';

export const scorerIdSchema = z
  .string()
  .check(z.regex(/^[0-9a-z-]{1,40}$/, 'must be 1 to 40 small letters, digits and hyphens'));

const commonFields = {
  id: scorerIdSchema.check(z.describe('By which verdicts and scores name it; each check has its own.')),
  name: z
    .optional(z.nullable(wordsSchema(EVALUATION_LIMITS.name).check(oneLineCheck, wholePairsCheck)))
    .check(z.describe('What it is called; null: by its kind.')),
  counts: z
    .optional(z.boolean())
    .check(z.describe('false: it is shown, and an answer that fails it may still pass. true if absent.')),
};

const text = z.nullable(z.string().check(maxCharacters(EVALUATION_LIMITS.checkText)));
const flag = z.optional(z.boolean());
const ofRow = { expected: z.optional(text).check(z.describe('null or absent: the expected answer of the row.')) };

const limit = z.optional(z.number().check(z.minimum(0)));
const share = z.optional(z.number().check(z.minimum(0), z.maximum(1)));
const fieldNames = z.array(z.string().check(z.minLength(1), maxCharacters(EVALUATION_LIMITS.name)));

/** The fields of each kind; a kind without them does not compile. */
const KIND_FIELDS = {
  exact: { ...ofRow, is_case_sensitive: flag },
  contains: { ...ofRow, is_case_sensitive: flag },
  regex: { expected: text.check(z.describe('The pattern.')), is_case_sensitive: flag },
  number: { ...ofRow, tolerance: limit },
  similarity: {
    ...ofRow,
    is_case_sensitive: flag,
    measure: z.optional(z.enum(SIMILARITY_MEASURES)).check(z.describe('levenshtein if absent.')),
    threshold: share.check(z.describe(`The least score that passes, ${DEFAULT_THRESHOLDS.similarity} if absent.`)),
  },
  'json-schema': { expected: text.check(z.describe('The schema, as JSON text.')), is_strict: flag },
  'json-equal': { ...ofRow, is_strict: flag },
  'json-fields': {
    ...ofRow,
    is_strict: flag,
    fields: z
      .optional(fieldNames.check(z.maxLength(EVALUATION_LIMITS.variables)))
      .check(z.describe('Those that count, with all that they hold; absent or empty: all.')),
  },
  'tool-calls': ofRow,
  'tool-arguments': ofRow,
  length: {
    unit: z.optional(z.enum(LENGTH_UNITS)).check(z.describe('words if absent.')),
    min: limit,
    max: limit,
  },
  language: {
    expected: z
      .optional(text)
      .check(z.describe("Two letters, such as `de`; null or absent: that of the row's answer.")),
  },
  latency: { max: limit.check(z.describe('The most milliseconds that pass.')) },
  function: {
    expected: text.check(
      z.describe('JavaScript: `(answer, expected, row) => boolean, number or {pass, score, reason}`.'),
    ),
    threshold: share.check(z.describe(`The least score that passes, ${DEFAULT_THRESHOLDS.function} if absent.`)),
  },
} as const satisfies Readonly<Record<CheckKind, object>>;

const schemaOf = <Kind extends CheckKind>(kind: Kind) =>
  z.strictObject({ ...commonFields, kind: z.literal(kind), ...KIND_FIELDS[kind] });

const JUDGE_MODES = ['answers', 'pairs'] as const;

/** A model that judges by words. */
const judgeSchema = z.strictObject({
  ...commonFields,
  kind: z.literal('judge'),
  mode: z
    .optional(z.enum(JUDGE_MODES))
    .check(
      z.describe(
        'answers if absent: whether each answer passes. pairs: whether it is better than that of the baseline, asked in both ' +
          'orders; a verdict that changes with the order is a tie. Win rates are in the results of judgements, and pairs never count.',
      ),
    ),
  model: z
    .string()
    .check(
      z.minLength(1),
      maxCharacters(REQUEST_LIMITS.modelCharacters),
      wholePairsCheck,
      z.describe('Who judges: an id or alias of `GET /api/v1/models`.'),
    ),
  rubric: z
    .string()
    .check(
      z.minLength(1),
      maxCharacters(EVALUATION_LIMITS.rubric),
      wholePairsCheck,
      z.describe('What a good answer is, in words.'),
    ),
});

/** A program of people, asked over HTTP. */
const httpSchema = z.strictObject({
  ...commonFields,
  kind: z.literal('http'),
  evaluator: z
    .string()
    .check(
      z.minLength(1),
      maxCharacters(EVALUATION_LIMITS.name),
      z.describe('The name of one that the operator allowed: `GET /api/v1/studio/evaluators`.'),
    ),
  threshold: share.check(z.describe(`The least score that passes, ${DEFAULT_THRESHOLDS.http} if absent.`)),
});

export const evaluationCheckSchema = z.discriminatedUnion('kind', [
  schemaOf('exact'),
  schemaOf('contains'),
  schemaOf('regex'),
  schemaOf('number'),
  schemaOf('similarity'),
  schemaOf('json-schema'),
  schemaOf('json-equal'),
  schemaOf('json-fields'),
  schemaOf('tool-calls'),
  schemaOf('tool-arguments'),
  schemaOf('length'),
  schemaOf('language'),
  schemaOf('latency'),
  schemaOf('function'),
  judgeSchema,
  httpSchema,
]);

export type EvaluationCheck = Readonly<z.infer<typeof evaluationCheckSchema>>;
export type HttpCheck = Readonly<z.infer<typeof httpSchema>>;
export type JudgeCheck = Readonly<z.infer<typeof judgeSchema>>;
/** One that a program applies. */
export type RuleCheck = Exclude<EvaluationCheck, JudgeCheck | HttpCheck>;

export const isRule = (check: EvaluationCheck): check is RuleCheck => check.kind !== 'judge' && check.kind !== 'http';
export const isHttp = (check: EvaluationCheck): check is HttpCheck => check.kind === 'http';
export type JudgeMode = (typeof JUDGE_MODES)[number];
export const isJudge = (check: EvaluationCheck): check is JudgeCheck => check.kind === 'judge';
