// A row of an evaluation: what is asked, what is expected, and by what it is grouped.
// ASSUMED: not in SPEC. Only a local studio has evaluations.
import * as z from 'zod/mini';
import { chatMessageSchema, toolSchema } from '#core/contract/chatMessage.ts';
import { MESSAGE_LIMITS, REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  countSchema,
  maxCharacters,
  oneLineCheck,
  wholePairsCheck,
  wholeTextSchema,
  wordsSchema,
} from '#core/contract/schemas.ts';
import { EVALUATION_LIMITS } from './evaluationLimits.ts';

const tagNameSchema = wordsSchema(EVALUATION_LIMITS.tagName).check(oneLineCheck, wholePairsCheck);
const tagTextSchema = wordsSchema(EVALUATION_LIMITS.tagText).check(oneLineCheck, wholePairsCheck);

const rowFields = {
  messages: z.optional(
    z
      .array(chatMessageSchema)
      .check(
        z.minLength(MESSAGE_LIMITS.min),
        z.maxLength(MESSAGE_LIMITS.max),
        z.describe(
          'A chat to continue. An answer at its end is taken as the expected one. Its system message replaces that of the ' +
            'evaluation, and nothing is filled into it.',
        ),
      ),
  ),
  variables: z.optional(
    z
      .record(
        z.string().check(z.minLength(1), maxCharacters(EVALUATION_LIMITS.variableName), oneLineCheck, wholePairsCheck),
        z.string(),
      )
      .check(z.describe('Values for `{{name}}` in the prompt and the system message of the evaluation.')),
  ),
  expected: z
    .optional(z.nullable(z.string()))
    .check(z.describe('The expected answer; of tool calls a JSON list of `{"name", "arguments"}`.')),
  tools: z.optional(
    z
      .array(toolSchema)
      .check(
        z.maxLength(REQUEST_LIMITS.tools),
        z.describe('They replace those of the settings. Each has a name of its own.'),
      ),
  ),
  tags: z.optional(
    z.record(tagNameSchema, tagTextSchema).check(z.describe('Scores are given by them, such as `{"language": "de"}`.')),
  ),
};

/** The place of a row, in a path. */
export const positionSchema = wholeTextSchema(0, EVALUATION_LIMITS.rows - 1).check(
  z.describe('The place of the row, from 0.'),
);

export const evaluationRowSchema = z.strictObject(rowFields);

export const placedRowSchema = z.strictObject({
  position: countSchema.check(z.describe('Its place in its version, from 0.')),
  ...rowFields,
});

export type EvaluationRow = Readonly<z.infer<typeof evaluationRowSchema>>;
export type PlacedEvaluationRow = Readonly<z.infer<typeof placedRowSchema>>;
