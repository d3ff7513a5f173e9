// What an export lost, as trainers say it and experiments keep it.
import * as z from 'zod/mini';
import { storedCountSchema } from './schemas.ts';

const shareSchema = z.number();
const shownSchema = z.string().check(z.maxLength(400));

export const exportParitySchema = z.object({
  prompts: storedCountSchema.check(z.describe('How many validation prompts were asked before and after the export.')),
  exact_match: shareSchema.check(z.describe("Share of the trainer's own answers that are the expected ones.")),
  formats: z
    .array(
      z.object({
        format: z.string().check(z.minLength(1), z.maxLength(40)),
        is_served: z.boolean(),
        equal: shareSchema.check(z.describe("Share of answers that are equal to the trainer's.")),
        exact_match: shareSchema,
        lost: shareSchema.check(z.describe('Exact match before minus after.')),
        lost_from: shareSchema,
        lost_to: shareSchema,
        is_refused: z.boolean().check(z.describe('It lost more than 2 points, or more than chance explains.')),
        first_difference: z.nullable(
          z.object({ prompt: shownSchema, at: storedCountSchema, before: shownSchema, after: shownSchema }),
        ),
      }),
    )
    .check(z.maxLength(8)),
});

export type ExportParity = z.infer<typeof exportParitySchema>;
