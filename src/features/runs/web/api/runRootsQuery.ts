// The folders that runs are read from. Every project asks whether it is one, so this is apart from the other queries of runs.
import { queryOptions } from '@tanstack/react-query';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import { ask } from '#ui/client/call.ts';
import { intervalOnError, type PollState } from '#ui/client/polling.ts';
import { BASE, hideMissing, POLLED, toPollState } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

const SCANNING_MS = 1000;
const SETTLED_MS = 15_000;

/** false: the service reads no folders. */
export function rootsInterval({ data, error, failures }: PollState<readonly RunRoot[] | null>): number | false {
  if (data === null) return false;
  const base = data?.some((root) => root.state === 'scanning') === true ? SCANNING_MS : SETTLED_MS;
  return error ? intervalOnError(base, failures, error) : base;
}

/** The folders that the studio reads runs from; null: this service reads none. */
export function runRootsQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...POLLED,
    queryKey: ['run-roots'],
    queryFn: ({ signal }): Promise<readonly RunRoot[] | null> =>
      ask('/api/v1/studio/run-roots', [], 'roots', { signal, connection })
        .then(({ roots }) => roots)
        .catch(hideMissing),
    staleTime: 1000,
    refetchInterval: (query) => rootsInterval(toPollState(query)),
    refetchIntervalInBackground: false,
  });
}

/** The same, for parts that must not poll by themselves. */
export const knownRootsQuery = () => ({
  ...runRootsQuery(),
  ...BASE,
  refetchInterval: false as const,
  staleTime: 15_000,
});
