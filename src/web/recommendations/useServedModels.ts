// Which models the service can run now, so that only those are offered to the playground.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { modelsQuery } from '#web/api/queries.ts';

/** Ids of served models; empty while unknown, and from a service that can't list them. */
export function useServedModels(): ReadonlySet<string> {
  const { data } = useQuery(modelsQuery());
  return useMemo(() => new Set(data?.map((entry) => entry.id)), [data]);
}
