// `GET /api/v1/studio/activity`: who changed what, newest first.
import type { ActivityLog } from '#features/access/server/activityLog.ts';
import { sendJson, type Route } from '#service/http/route.ts';
import { readQuery } from '#service/http/parsedBody.ts';
import { ACTIVITY_LIMITS, ACCESS_ROUTES, type ActivityPage } from '#features/access/shared/activity.ts';
import { activityQuerySchema } from '#features/access/shared/activityQuery.ts';

export function toActivityRoutes(log: Pick<ActivityLog, 'list'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: ACCESS_ROUTES.activity,
      async handle(context) {
        const { limit = ACTIVITY_LIMITS.entriesDefault, before = null } = readQuery(context, activityQuerySchema);
        // One more than asked for tells whether there is a next page.
        const found = await log.list(limit + 1, before);
        const entries = found.slice(0, limit);
        const next = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
        const page: ActivityPage = { entries, next };
        return sendJson(page);
      },
    },
  ];
}
