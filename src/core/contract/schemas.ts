// Schema building blocks shared by the contract's files. Source: SPEC 2.
// zod/mini: the browser loads only the parts in use. jitless: the CSP has no unsafe-eval.
import * as z from 'zod/mini';
import { countCharacters } from './limits.ts';
import { isObject } from './readJson.ts';
import { STATUS_CAUSES } from './statuses.ts';
import { UUID, UUID_RULE } from './uuid.ts';

z.config({ jitless: true });

/** A UUID of any version: SPEC 2.1 requires one for every id. */
export const uuidSchema = z.string().check(z.regex(UUID, UUID_RULE), z.meta({ format: 'uuid' }));

/** Of a node that is made: other programs take the nil UUID for no id at all. */
export const newIdSchema = uuidSchema.check(z.regex(/[1-9a-fA-F]/, 'must not be the nil UUID'));

/** ASSUMED: not in SPEC. */
export const statusCauseSchema = z
  .enum(STATUS_CAUSES)
  .check(z.describe('Why a run of a folder has its status, in one word; absent: the status says it.'));

/** With whose token a record was changed last. */
export const authorSchema = z
  .optional(z.nullable(z.string()))
  .check(z.describe("The name of the token; null: the studio's own, which is the owner's. Missing: not known."));

/** Any text in a path. */
export const anyNameSchema = z.string().check(z.minLength(1));

export const countSchema = z.int().check(z.minimum(0));

/** The largest whole number of a column of the type integer. */
export const MAX_INTEGER = 2 ** 31 - 1;

/** A count that is stored in such a column. */
export const storedCountSchema = countSchema.check(z.maximum(MAX_INTEGER));

/** A whole number as the text of an address. */
export const wholeTextSchema = (min: number, max: number) =>
  z.pipe(
    z.string().check(
      z.refine(
        (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
        `must be a whole number from ${min} to ${max}`,
      ),
      z.meta({ type: 'integer', minimum: min, maximum: max }),
    ),
    z.transform(Number),
  );

/** Of texts: at most so many characters, counted as JSON Schema does. `z.maxLength` would count UTF-16 units. */
export function maxCharacters(maximum: number): z.core.$ZodCheck<string> {
  const check = z.check<string>(({ value, issues }) => {
    if (value.length > maximum && countCharacters(value) > maximum)
      issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: value });
  });
  // As the library's own checks say their limits to the converter of schemas.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag['maximum'] = maximum;
  });
  return check;
}

/** A pattern that each language of a client reads alike. */
const patternCheck = (pattern: string, message: string) => z.regex(new RegExp(pattern), message);

/** Of texts: at least one character that is no white space. Spelled out, because each language has its own `\s`. */
const notBlankCheck = patternCheck(
  String.raw`[^\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`,
  'must not be blank',
);

/** A text that says something, without the white space around it. */
export const wordsSchema = (most: number) =>
  z.string().check(z.minLength(1), maxCharacters(most), notBlankCheck, z.trim());

/** A field that may only have the value which changes nothing: what would change the answer is not ignored. */
export const only = <Value extends number | boolean | string>(
  schema: z.ZodMiniType<Value>,
  value: Value,
  why: string,
) =>
  schema.check(
    z.refine((given) => given === value, `must be ${JSON.stringify(value)}: ${why}`),
    z.meta({ const: value }),
  );

/** The file of a form, for the document: the service streams it, and validates the other fields only. */
export const fileSchema = z.unknown().check(z.meta({ type: 'string', format: 'binary' }));

/** Of names and tags: one line of text. A NUL can't even be stored. */
export const oneLineCheck = patternCheck(
  String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
  'must not contain control characters',
);

/** Of longer texts. */
export const noNulCheck = patternCheck(String.raw`^[^\u0000]*$`, 'must not contain a NUL character');

/** Of texts that are stored in JSON, such as tags. */
export const wholePairsCheck = z.refine<string>(
  (text) => !/\p{Cs}/u.test(text),
  'must not contain half of a surrogate pair',
);

// Texts as PostgreSQL can keep them: it has no place for a NUL character, nor for half of a surrogate pair in JSON.

/** Each NUL and each half of a pair becomes U+FFFD, so that the text keeps its length. */
export const toStorable = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');

/** The first characters of a text. A cut can part a pair. */
export const cutText = (text: string, most: number): string => toStorable(text.slice(0, most));

/** All texts and names of fields of a value. It calls itself for each level, so the value must not be nested deeply. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [map(name), mapTexts(each, map)]));
}
