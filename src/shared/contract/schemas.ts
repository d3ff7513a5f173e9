// Schema building blocks shared by the contract's files. Source: SPEC 2.
// zod/mini: the browser loads only the parts in use. jitless: the CSP has no unsafe-eval.
import * as z from 'zod/mini';
import { UUID, UUID_RULE } from './uuid.ts';

z.config({ jitless: true });

/** A UUID of any version: SPEC 2.1 requires one for every id. */
export const uuidSchema = z.string().check(z.regex(UUID, UUID_RULE), z.meta({ format: 'uuid' }));

/** Of a node that is made: other programs take the nil UUID for no id at all. */
export const newIdSchema = uuidSchema.check(z.refine((id) => !/^[0-]+$/.test(id), 'must not be the nil UUID'));

export const countSchema = z.int().check(z.minimum(0));

/** A whole number as the text of a query. */
export const wholeTextSchema = (min: number, max: number) =>
  z
    .string()
    .check(
      z.refine(
        (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
        `must be a whole number from ${min} to ${max}`,
      ),
    );

/** Of names and tags: one line of text. A NUL can't even be stored. */
export const oneLineCheck = z.refine<string>((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

/** Of longer texts. */
export const noNulCheck = z.refine<string>((text) => !text.includes('\0'), 'must not contain a NUL character');
