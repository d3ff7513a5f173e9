// The log of changes, page by page, newest first. Only code that loads later imports this file.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { ask } from '#ui/client/call.ts';
import { BASE, hideMissing } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

const PAGE = 200;

/** A page is null where this service keeps no log. */
export function activityQuery(connection: Connection = SAME_ORIGIN) {
  return infiniteQueryOptions({
    ...BASE,
    queryKey: ['activity-log'],
    queryFn: ({ signal, pageParam }) =>
      ask('/api/v1/studio/activity', [], 'entries', {
        query: { limit: PAGE, before: pageParam },
        signal,
        connection,
      }).catch(hideMissing),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last?.next ?? null,
    // Whoever opens it wants to see what was done just now.
    staleTime: 0,
  });
}
