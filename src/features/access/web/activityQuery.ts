// The log of changes, page by page, newest first. Only code that loads later imports this file.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { activityPath, type ActivityPage } from '#features/access/shared/activity.ts';
import { readActivity } from '#features/access/shared/activityReader.ts';
import { BASE, fetchJson, hideMissing } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

const PAGE = 200;

/** A page is null where this service keeps no log. */
export function activityQuery(connection: Connection = SAME_ORIGIN) {
  return infiniteQueryOptions({
    ...BASE,
    queryKey: ['activity-log'],
    queryFn: ({ signal, pageParam }): Promise<ActivityPage | null> =>
      fetchJson(activityPath(PAGE, pageParam), readActivity, signal, connection).catch(hideMissing),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last?.next ?? null,
    // Whoever opens it wants to see what was done just now.
    staleTime: 0,
  });
}
