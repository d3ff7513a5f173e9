// Who changed what: pages of the activity log.
import { ACCESS } from '#features/access/shared/accessEndpoints.ts';
import { ACTIVITY_LIMITS } from '#features/access/shared/activity.ts';
import type { ActivityLog } from '#features/access/server/activityLog.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import type { Route } from '#service/http/route.ts';

export function toActivityRoutes(log: Pick<ActivityLog, 'list'>): readonly Route[] {
  return [
    toRoute(ACCESS.listActivity, async ({ query: { limit = ACTIVITY_LIMITS.entriesDefault, before = null } }) => {
      // One more than asked for tells whether there is a next page.
      const found = await log.list(limit + 1, before);
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
    }),
  ];
}
