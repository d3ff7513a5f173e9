// A mapping of columns as a form sends it. `parseMapping` of shared/data reads it; this describes it.
import * as z from 'zod/mini';
import { maxCharacters } from '#core/contract/schemas.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';

const { mapping: LIMITS } = DATA_LIMITS;
const columnSchema = z.string().check(z.minLength(1), maxCharacters(LIMITS.name));
const extraFields = {
  system: z.optional(z.nullable(columnSchema)),
  tools: z.optional(z.nullable(columnSchema)),
};

export const rowMappingSchema = z
  .union([
    z.strictObject({
      kind: z.optional(z.literal('pair')),
      question: z.union([columnSchema, z.array(columnSchema).check(z.minLength(1), z.maxLength(LIMITS.columns))]),
      answer: columnSchema,
      ...extraFields,
    }),
    z.strictObject({
      kind: z.optional(z.literal('list')),
      messages: columnSchema,
      role: z.optional(columnSchema).check(z.describe('The field of a message with its role; `role` if absent.')),
      content: z.optional(columnSchema).check(z.describe('The field with its text; `content` if absent.')),
      roles: z
        .optional(z.record(columnSchema, z.enum(['system', 'developer', 'user', 'assistant', 'tool'])))
        .check(z.meta({ maxProperties: LIMITS.roles, description: 'What unusual names of roles mean.' })),
      ...extraFields,
    }),
  ])
  .check(z.describe('JSON: a path such as `data.question` is a column, too.'));
