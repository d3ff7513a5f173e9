// A mapping of columns as a form sends it.
import * as z from 'zod/mini';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { toIssue } from '#core/contract/issues.ts';
import { failRead, isObject, type Read } from '#core/contract/readJson.ts';
import { maxCharacters } from '#core/contract/schemas.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';

const { mapping: LIMITS } = DATA_LIMITS;
const columnSchema = z.string().check(z.minLength(1), maxCharacters(LIMITS.name));
const extraFields = {
  system: z.optional(z.nullable(columnSchema)),
  tools: z.optional(z.nullable(columnSchema)),
};

const pairSchema = z.strictObject({
  kind: z.optional(z.literal('pair')),
  question: z.union(
    [columnSchema, z.array(columnSchema).check(z.minLength(1), z.maxLength(LIMITS.columns))],
    `must be the name of a column, or a list of 1 to ${LIMITS.columns} names`,
  ),
  answer: columnSchema,
  ...extraFields,
});

const rolesSchema = z.record(columnSchema, z.enum(['system', 'developer', 'user', 'assistant', 'tool'])).check(
  z.refine((roles) => Object.keys(roles).length <= LIMITS.roles, `must have at most ${LIMITS.roles} names`),
  z.meta({ maxProperties: LIMITS.roles, description: 'What unusual names of roles mean.' }),
);

const listSchema = z.strictObject({
  kind: z.optional(z.literal('list')),
  messages: columnSchema,
  role: z.optional(columnSchema).check(z.describe('The field of a message with its role; `role` if absent.')),
  content: z.optional(columnSchema).check(z.describe('The field with its text; `content` if absent.')),
  roles: z.optional(z.nullable(rolesSchema)),
  ...extraFields,
});

export const rowMappingSchema = z
  .union([pairSchema, listSchema])
  .check(z.describe('JSON: a path such as `data.question` is a column, too.'));

const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [Name in keyof Fields]: NonNullable<Fields[Name]>;
  };

/** A mapping from JSON that anybody may have sent. `kind` may be left out. */
export function parseMapping(value: unknown): Read<RowMapping> {
  const isList =
    isObject(value) && (value['kind'] === undefined ? Object.hasOwn(value, 'messages') : value['kind'] === 'list');
  const fail = (issues: z.core.$ZodIssue[]) => failRead(`The mapping can't be used: ${toIssue(issues, 'it').message}`);
  if (isList) {
    const list = listSchema.safeParse(value, { reportInput: true });
    if (!list.success) return fail(list.error.issues);
    return { ok: true, value: { role: 'role', content: 'content', ...withoutNulls(list.data), kind: 'list' } };
  }
  const pair = pairSchema.safeParse(value, { reportInput: true });
  if (!pair.success) return fail(pair.error.issues);
  return { ok: true, value: { ...withoutNulls(pair.data), kind: 'pair', question: [pair.data.question].flat() } };
}
