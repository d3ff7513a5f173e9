import { QueryObserver, type FetchQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * What `client.fetchQuery` gives, also when those who watch the same query stop meanwhile: React Query ends a request
 * that nobody watches, and with it the one that was joined. A menu that asks for notes closes with the press that saves
 * one. Rejects as the query's fetcher does.
 */
export async function fetchKept<T, K extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<T, Error, T, K>,
): Promise<T> {
  const stop = new QueryObserver(client, { ...options, enabled: false }).subscribe(() => undefined);
  try {
    return await client.fetchQuery(options);
  } finally {
    stop();
  }
}
