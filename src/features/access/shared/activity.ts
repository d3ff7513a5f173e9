// Who changed what in a studio, newest first: `GET /api/v1/studio/activity`.
// ASSUMED: not in SPEC. Only a local studio keeps a log of changes.
import * as z from 'zod/mini';
import { uuidSchema, wholeTextSchema } from '#core/contract/schemas.ts';

export const ACTIVITY_LIMITS = { entries: 500, entriesDefault: 100 } as const;

export const activityQuerySchema = z.object({
  limit: z
    .optional(wholeTextSchema(1, ACTIVITY_LIMITS.entries))
    .check(z.describe(`How many entries, ${ACTIVITY_LIMITS.entriesDefault} if absent.`)),
  before: z.optional(wholeTextSchema(1, Number.MAX_SAFE_INTEGER)).check(z.describe('Only entries with a smaller id.')),
});

const activityNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.string().check(z.describe('As in the tree.')),
  label: z.string().check(z.describe('Its name now.')),
  project_id: uuidSchema,
  is_deleted: z.boolean().check(z.describe('It, or something above it, was deleted.')),
});

const activityEntrySchema = z.strictObject({
  id: z.int().check(z.minimum(1), z.describe('Increases with time; where the next page begins.')),
  at: z.string().check(z.meta({ format: 'date-time' })),
  who: z.nullable(z.string()).check(z.describe("The name of the token; null: the studio's own, which is the owner's.")),
  method: z.string().check(z.describe('Such as `POST`.')),
  route: z.string().check(z.describe('As in this document.')),
  path: z.string().check(z.describe('With the ids, without its query.')),
  is_certain: z
    .optional(z.boolean())
    .check(z.describe('`false`: the database answered too late to say whether the change was made. Else it was.')),
  node: z
    .nullable(activityNodeSchema)
    .check(z.describe('What the change is about; null: no node, or one that is gone for good or is in no project.')),
});

export const activityPageSchema = z.strictObject({
  entries: z.array(activityEntrySchema),
  next: z.nullable(z.int()).check(z.describe('For `before` of the next page; null: this is the last.')),
});

export type ActivityNode = Readonly<z.infer<typeof activityNodeSchema>>;
export type ActivityEntry = Readonly<z.infer<typeof activityEntrySchema>>;
