// What people keep for all who use a studio and that is of no node: presets and training examples.
// ASSUMED: not in SPEC. Only a local studio has a library.
import * as z from 'zod/mini';
import {
  authorSchema,
  maxCharacters,
  noNulCheck,
  oneLineCheck,
  wholePairsCheck,
  wholeTextSchema,
  wordsSchema,
} from '#core/contract/schemas.ts';
import { LIBRARY_LIMITS } from './libraryLimits.ts';

export const libraryKindSchema = z
  .enum(['preset', 'example'])
  .check(
    z.describe(
      'preset: the content is JSON, `about` with the names of the settings that it changes, and `settings`. example: it is ' +
        'a line of a training file.',
    ),
  );

export const itemIdSchema = z
  .string()
  .check(z.regex(/^[0-9a-z-]{1,64}$/, 'must be 1 to 64 small letters, digits and hyphens'));

const itemFields = {
  name: z
    .nullable(wordsSchema(LIBRARY_LIMITS.name).check(oneLineCheck, wholePairsCheck))
    .check(z.describe('null: it has none.')),
  content: z.string().check(z.minLength(1), maxCharacters(LIBRARY_LIMITS.content), noNulCheck, wholePairsCheck),
};

export const libraryItemSchema = z.strictObject({
  id: itemIdSchema,
  ...itemFields,
  revision: z.int().check(z.describe('Counts up with each change.')),
  created_at: z.string(),
  updated_at: z.string(),
  updated_by: authorSchema,
});

export const libraryListSchema = z.strictObject({ items: z.array(libraryItemSchema) });

export const itemChangeSchema = z.strictObject({
  ...itemFields,
  revision: z
    .int()
    .check(
      z.minimum(0),
      z.describe('That of the item that is changed; 0: there is none. Another one is answered 409.'),
    ),
});

export const itemDeletionSchema = z.object({
  revision: wholeTextSchema(1, Number.MAX_SAFE_INTEGER).check(z.describe('That of the item that is deleted.')),
});

export type LibraryKind = z.infer<typeof libraryKindSchema>;
export type LibraryItem = Readonly<z.infer<typeof libraryItemSchema>>;
export type ItemChange = Readonly<z.infer<typeof itemChangeSchema>>;
