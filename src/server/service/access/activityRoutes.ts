// `GET /api/v1/studio/activity`: who changed what, newest first.
import type { ActivityLog } from '#server/access/activityLog.ts';
import { HttpProblem } from '#server/service/problem.ts';
import { sendJson, type Route, type RouteContext } from '#server/service/route.ts';
import { ACTIVITY_LIMITS, ACCESS_ROUTES, type ActivityPage } from '#shared/contract/access/activity.ts';

/** A whole number of the query, or null when it is not given. Throws HttpProblem 400. */
function wholeQuery(context: RouteContext, name: string, range: readonly [min: number, max: number]): number | null {
  const text = context.req.query(name);
  if (text === undefined) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const [min, max] = range;
  if (value >= min && value <= max) return value;
  const message = `${name} must be a whole number from ${min} to ${max}.`;
  throw new HttpProblem(400, message, { param: name, code: 'invalid_request' });
}

export function toActivityRoutes(log: Pick<ActivityLog, 'list'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: ACCESS_ROUTES.activity,
      async handle(context) {
        const limit = wholeQuery(context, 'limit', [1, ACTIVITY_LIMITS.entries]) ?? ACTIVITY_LIMITS.entriesDefault;
        const before = wholeQuery(context, 'before', [1, Number.MAX_SAFE_INTEGER]);
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
