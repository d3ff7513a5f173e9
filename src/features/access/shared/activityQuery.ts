// The query of `GET /api/v1/studio/activity`. Apart from activity.ts: the page loads that without the schema library.
import * as z from 'zod/mini';
import { wholeTextSchema } from '#core/contract/schemas.ts';
import { ACTIVITY_LIMITS } from './activity.ts';

export const activityQuerySchema = z.object({
  limit: z
    .optional(wholeTextSchema(1, ACTIVITY_LIMITS.entries))
    .check(z.describe(`How many entries, ${ACTIVITY_LIMITS.entriesDefault} if absent.`)),
  before: z.optional(wholeTextSchema(1, Number.MAX_SAFE_INTEGER)).check(z.describe('Only entries with a smaller id.')),
});
