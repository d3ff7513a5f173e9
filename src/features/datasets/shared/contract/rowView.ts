// What a base model sees of one row: its text by the model's chat template, its tokens, what is trained, what a context cuts.
// ASSUMED: not in SPEC. Only a local studio has rows.
import * as z from 'zod/mini';
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import { countSchema, wholeTextSchema } from '#core/contract/schemas.ts';
import { toCount, toPositions } from './datasetReader.ts';

/** The largest context that can be asked for, in tokens. */
export const MAX_CONTEXT = 10_000_000;

/** A context in a query. */
export const contextTextSchema = wholeTextSchema(1, MAX_CONTEXT);

export const rowViewQuerySchema = z.strictObject({
  model: z
    .string()
    .check(z.minLength(1, 'must be the id of a model'), z.describe('A model that the studio serves from a file.')),
  context: z
    .optional(contextTextSchema)
    .check(z.describe("Tokens that the model reads; absent: the model's own context.")),
});

const PROBLEMS = ['refused', 'no-answer', 'dropped', 'masked', 'comparison'] as const;

export const rowViewSchema = z.strictObject({
  model: z.string(),
  context: z.nullable(countSchema).check(z.describe('Tokens that are not cut; null: not known, so nothing is.')),
  model_context: z.nullable(countSchema).check(z.describe("The model's own; null: its file does not say.")),
  template: z.enum(['file', 'chatml']).check(z.describe('`chatml`: the file has no chat template.')),
  tokens: countSchema,
  trained: countSchema,
  cut: countSchema,
  trained_cut: countSchema,
  dropped: z.array(countSchema).check(z.describe('Places of answers that the template leaves out.')),
  problem: z.nullable(z.strictObject({ kind: z.enum(PROBLEMS), message: z.string() })),
  /** The text in neighbouring stretches. */
  spans: z.array(
    z.strictObject({
      text: z.string(),
      is_trained: z.boolean(),
      is_cut: z.boolean(),
      message: z.nullable(countSchema).check(z.describe('The place of the answer among the messages.')),
      tokens: z.array(countSchema).check(z.describe('Where each token ends in `text`, in UTF-16 units.')),
    }),
  ),
  left_out: countSchema.check(z.describe('Characters at the end that are counted, but not sent.')),
});
export type RowView = z.infer<typeof rowViewSchema>;

const toSpan = (entry: JsonObject): RowView['spans'][number] => ({
  text: textOr(entry['text'], ''),
  is_trained: entry['is_trained'] === true,
  is_cut: entry['is_cut'] === true,
  message: numberOr(entry['message'], null),
  tokens: toPositions(entry['tokens']),
});

/** Missing counts are 0; a problem of a kind that is not known keeps its words. */
export function readRowView(body: unknown): Read<RowView> {
  if (!isObject(body) || !Array.isArray(body['spans'])) return failRead('it has no spans');
  const { problem } = body;
  return {
    ok: true,
    value: {
      model: textOr(body['model'], ''),
      context: numberOr(body['context'], null),
      model_context: numberOr(body['model_context'], null),
      template: body['template'] === 'chatml' ? 'chatml' : 'file',
      tokens: toCount(body['tokens']),
      trained: toCount(body['trained']),
      cut: toCount(body['cut']),
      trained_cut: toCount(body['trained_cut']),
      dropped: toPositions(body['dropped']),
      problem: isObject(problem)
        ? {
            kind: PROBLEMS.find((kind) => kind === problem['kind']) ?? 'refused',
            message: textOr(problem['message'], 'Nothing of the row is trained.'),
          }
        : null,
      spans: arrayOr(body['spans']).filter(isObject).map(toSpan),
      left_out: toCount(body['left_out']),
    },
  };
}
