// What a base model sees of one row: its text by the model's chat template, its tokens, what is trained, what a context cuts.
// ASSUMED: not in SPEC. Only a local studio has rows.
import * as z from 'zod/mini';
import { countSchema, wholeTextSchema } from '#core/contract/schemas.ts';

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
