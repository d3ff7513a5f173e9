// Completions that a trainer wrote beside its metrics, such as those of GRPO, on the wire.
// ASSUMED: not in SPEC. The question is in the address; an answer is one page of the rows of one step.
import * as z from 'zod/mini';
import { countSchema, maxCharacters, wholeTextSchema } from '#core/contract/schemas.ts';
import { curveValueSchema } from './runs.ts';

/** Rows of an answer. */
export const COMPLETION_ROWS = 50;
/** Characters of a prompt or completion that are sent. */
export const MAX_COMPLETION_TEXT = 20_000;

const wholeText = wholeTextSchema(0, 999_999_999);

/**
 * `GET /api/v1/studio/runs/{runId}/completions`. `step`: the newest if absent. `sort`: a column of numbers, highest
 * first, or lowest first after a `-`; absent: as in the file. `search`: a text of prompt or completion, in any case.
 */
export const completionQuestionSchema = z.strictObject({
  step: z.optional(wholeText).check(z.describe('The step that wrote them; absent: the newest.')),
  search: z
    .optional(z.string().check(maxCharacters(500)))
    .check(z.describe('A text of prompt or completion, in any case.')),
  offset: z.optional(wholeText).check(z.describe('How many rows to leave out.')),
  sort: z
    .optional(z.string().check(maxCharacters(500)))
    .check(z.describe('A column of numbers, highest first; with `-` before it, lowest first.')),
});

const textSchema = z.nullable(z.string().check(z.describe('null: the file has none.')));

export const completionListSchema = z.strictObject({
  step: z.nullable(z.number()),
  file: z.string().check(z.describe('Path below the root.')),
  /** Columns of numbers in the order of the file: the rewards, then `advantage`. */
  measures: z.array(z.string()),
  /** Columns of other kinds, which are not sent. */
  left_out: z.array(z.string()),
  total: countSchema.check(z.describe('Rows of the file.')),
  found: countSchema.check(z.describe('Rows that the search finds.')),
  offset: countSchema,
  rows: z.array(
    z.strictObject({
      row: countSchema.check(z.describe('Place in the file, from 0.')),
      prompt: textSchema,
      completion: textSchema,
      /** The text was longer than 20,000 characters. */
      is_cut: z.boolean(),
      /** In the order of `measures`; null: the file has none. */
      values: z.array(z.nullable(curveValueSchema)),
    }),
  ),
});

export type CompletionList = z.infer<typeof completionListSchema>;
export type CompletionRow = CompletionList['rows'][number];
export interface CompletionQuestion {
  readonly step: number | null;
  readonly search: string;
  readonly offset: number;
  readonly sort: string | null;
}

/** The question of an address whose parts are valid. */
export function toCompletionQuestion({
  step,
  search = '',
  offset = 0,
  sort,
}: z.infer<typeof completionQuestionSchema>): CompletionQuestion {
  return { step: step ?? null, search, offset, sort: sort ?? null };
}
