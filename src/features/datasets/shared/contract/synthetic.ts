// The form that asks for generated rows. ASSUMED: not in SPEC. Its fields are those of the hosted studio's API; `model` is ours.
import * as z from 'zod/mini';
import { fileSchema, maxCharacters, noNulCheck, uuidSchema, wholeTextSchema } from '#core/contract/schemas.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { SYNTHETIC_LIMITS } from '#features/datasets/shared/syntheticLimits.ts';
import { nameSchema } from './datasets.ts';

const textSchema = z.string().check(z.minLength(1), maxCharacters(SYNTHETIC_LIMITS.text), noNulCheck);
const listSchema = z.optional(z.array(textSchema).check(z.maxLength(SYNTHETIC_LIMITS.entries)));

const temperatureSchema = z.pipe(
  z.string().check(
    z.refine((text) => /^\d(\.\d{1,10})?$/.test(text) && Number(text) <= 1, 'must be a number from 0 to 1'),
    z.meta({ type: 'number', minimum: 0, maximum: 1, multipleOf: 0.01 }),
  ),
  z.transform(Number),
);

export const newSyntheticSchema = z.object({
  project_id: uuidSchema,
  name: nameSchema,
  pairs_to_generate: wholeTextSchema(1, SYNTHETIC_LIMITS.pairs),
  temperature: z.optional(temperatureSchema),
  rules: listSchema,
  question_format: z.optional(textSchema),
  answer_format: z.optional(textSchema),
  example_questions: listSchema,
  example_answers: listSchema,
  youtube_urls: listSchema,
  website_urls: listSchema,
  model: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        maxCharacters(REQUEST_LIMITS.modelCharacters),
        z.describe('The teacher; absent: the first model of an engine or of `--model`. Ours.'),
      ),
  ),
});
export type NewSynthetic = z.infer<typeof newSyntheticSchema>;

export const newSyntheticFormSchema = z.extend(newSyntheticSchema, { files: z.optional(z.array(fileSchema)) });
