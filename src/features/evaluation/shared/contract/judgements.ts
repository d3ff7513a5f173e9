// What people say of the answers of a run: whether one passes, or which of two is better.
// ASSUMED: not in SPEC. Only a local studio has evaluations.
import * as z from 'zod/mini';
import { chatMessageSchema } from '#core/contract/chatMessage.ts';
import { authorSchema, countSchema, maxCharacters, wholeTextSchema } from '#core/contract/schemas.ts';
import { scorerIdSchema } from './evaluationChecks.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';

const JUDGEMENT_KINDS = ['pair', 'rating'] as const;
const JUDGEMENT_FORMS = ['pairs', 'chats'] as const;
const JUDGEMENT_OUTCOMES = ['left', 'right', 'tie', 'pass', 'fail'] as const;

/** The name of an item in a path. It says nothing of the models. */
export const itemIdSchema = z
  .string()
  .check(
    z.regex(/^(pair|rating)-\d{1,6}-\d{1,6}$/, 'must be the id of an item of the queue'),
    z.describe('As the queue of this person names it; others have other ids.'),
  );

const kindField = z
  .enum(JUDGEMENT_KINDS)
  .check(z.describe('pair: which of two answers to one row is better. rating: whether an answer passes.'));

export const judgementQuerySchema = z.strictObject({
  kind: kindField,
  limit: z
    .optional(wholeTextSchema(1, EVALUATION_LIMITS.judgementPage))
    .check(z.describe(`Items that are given, ${EVALUATION_LIMITS.judgementPageDefault} if absent.`)),
});

const shownAnswerSchema = z.strictObject({
  text: z.string(),
  tool_calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })),
});

const itemSchema = z.strictObject({
  id: itemIdSchema,
  position: countSchema.check(z.describe('The place of the row, from 0.')),
  messages: z.array(chatMessageSchema).check(z.describe('What was asked.')),
  expected: z.nullable(z.string()),
  answers: z.array(shownAnswerSchema).check(z.describe('One, or the left and the right one.')),
});

export const judgementQueueSchema = z.strictObject({
  has_ended: z.boolean().check(z.describe('Whether the run has; else there will be more items.')),
  total: countSchema.check(z.describe('Items of the run. Pairs of equal answers are none.')),
  judged: countSchema.check(z.describe('Those that you have judged.')),
  people: countSchema.check(z.describe('Who have judged such items of the run.')),
  last: z.nullable(itemIdSchema).check(z.describe('The item that you judged last; null: none.')),
  items: z.array(itemSchema).check(z.describe('The next ones that you have not judged, in an order of your own.')),
});

const commentSchema = z.nullable(z.string().check(maxCharacters(EVALUATION_LIMITS.comment)));
const correctionSchema = z.nullable(z.string().check(maxCharacters(EVALUATION_LIMITS.answerCharacters)));

export const newJudgementSchema = z.strictObject({
  outcome: z.enum(JUDGEMENT_OUTCOMES).check(z.describe('left, right, tie: of a pair. pass, fail: of one answer.')),
  comment: z.optional(commentSchema),
  correction: z
    .optional(correctionSchema)
    .check(z.describe('How the answer should have been. Only with pass or fail, of an answer without calls.')),
});

const shareSchema = z.number().check(z.minimum(0), z.maximum(1));

const kindFields = {
  items: countSchema.check(z.describe('Those that somebody has judged.')),
  judgements: countSchema,
  shared: countSchema.check(z.describe('Items that several people have judged.')),
  agreed: z.nullable(shareSchema).check(z.describe('Share of these that all judged the same; null: there are none.')),
  alpha: z
    .nullable(z.number())
    .check(z.describe("Krippendorff's alpha: 1, always the same; 0, as by chance. null: it can't be said.")),
};

const winRateFields = {
  pairs: countSchema,
  win_rate: z.nullable(shareSchema).check(z.describe('A tie is half a win. null: no pair was judged.')),
  low: z.nullable(shareSchema).check(z.describe('Bounds of the 95 % interval; repeats of a row are one observation.')),
  high: z.nullable(shareSchema),
};

export const judgementResultsSchema = z.strictObject({
  reference: z.string().check(z.describe('The model with the strength 0.')),
  pairs: z.strictObject({
    ...kindFields,
    ties: countSchema,
    strengths: z
      .array(
        z.strictObject({
          model: z.string(),
          pairs: countSchema,
          win_rate: shareSchema.check(z.describe('A tie is half a win.')),
          strength: z
            .nullable(z.number())
            .check(z.describe('Logarithm of the odds against the reference (Bradley and Terry); null: without bound.')),
          low: z.nullable(z.number()).check(z.describe('Bounds of the 95 % interval.')),
          high: z.nullable(z.number()),
        }),
      )
      .check(z.describe('The strongest first.')),
  }),
  ratings: z.strictObject({ ...kindFields, corrections: countSchema }),
  judges: z
    .array(
      z.strictObject({
        scorer: scorerIdSchema,
        judge: z.string().check(z.describe('The model that judges.')),
        decides_by_position: z
          .boolean()
          .check(z.describe('More than half of its verdicts changed with the order: its win rates say nothing.')),
        agreement: z
          .strictObject({
            rows: countSchema,
            pairs: countSchema,
            kappa: z
              .nullable(z.number())
              .check(
                z.describe(
                  `Cohen's kappa; null: not measured, because people have judged fewer than ${EVALUATION_LIMITS.agreement} rows, or all ` +
                    'verdicts are the same.',
                ),
              ),
            low: z.nullable(z.number()),
            high: z.nullable(z.number()),
          })
          .check(z.describe('With people, on the pairs that both have judged, of all models.')),
        models: z.array(
          z.strictObject({
            model: z.string(),
            is_own: z.boolean().check(z.describe('The judge has compared an answer of its own.')),
            ...winRateFields,
            ties: countSchema,
            flipped: countSchema.check(z.describe('Of the ties: those whose verdict changed with the order.')),
            people: z
              .nullable(z.strictObject(winRateFields))
              .check(z.describe('Of the same model and the baseline what most people say; null: nobody was asked.')),
          }),
        ),
      }),
    )
    .check(z.describe('Judges of the mode `pairs`, against the baseline of the run.')),
  people: z.array(z.strictObject({ who: authorSchema, pairs: countSchema, ratings: countSchema, last_at: z.string() })),
  comments: z
    .array(
      z.strictObject({
        who: authorSchema,
        position: countSchema,
        models: z.array(z.string()),
        outcome: z.string(),
        comment: z.nullable(z.string()),
        correction: z.nullable(z.string()),
        at: z.string(),
      }),
    )
    .check(z.describe(`The ${EVALUATION_LIMITS.comments} newest comments and corrections.`)),
});

export const judgementRowsQuerySchema = z.strictObject({
  form: z
    .enum(JUDGEMENT_FORMS)
    .check(
      z.describe(
        'pairs: `{prompt, chosen, rejected}` of pairs that most people judged alike, and of corrections. chats: `{messages}` ' +
          'with the corrected answer, or one that people passed.',
      ),
    ),
});

export type JudgementKind = (typeof JUDGEMENT_KINDS)[number];
export type JudgementForm = (typeof JUDGEMENT_FORMS)[number];
export type JudgementOutcome = (typeof JUDGEMENT_OUTCOMES)[number];
export type JudgementItem = Readonly<z.infer<typeof itemSchema>>;
export type JudgementQueue = Readonly<z.infer<typeof judgementQueueSchema>>;
export type NewJudgement = Readonly<z.infer<typeof newJudgementSchema>>;
export type JudgementResults = Readonly<z.infer<typeof judgementResultsSchema>>;
