// `GET /api/v1/studio/activity`: who changed what, newest first.
import type { ActivityLog } from '#server/access/activityLog.ts';
import { sendJson, wholeQuery, type Route } from '#server/service/route.ts';
import { ACTIVITY_LIMITS, ACCESS_ROUTES, type ActivityPage } from '#shared/contract/access/activity.ts';

export function toActivityRoutes(log: Pick<ActivityLog, 'list'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: ACCESS_ROUTES.activity,
      async handle(context) {
        const limit =
          wholeQuery(context, 'limit', { min: 1, max: ACTIVITY_LIMITS.entries }) ?? ACTIVITY_LIMITS.entriesDefault;
        const before = wholeQuery(context, 'before', { min: 1, max: Number.MAX_SAFE_INTEGER });
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
