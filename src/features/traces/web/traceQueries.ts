// What the page asks of traces, and changes of them. Only code that loads later imports this file.
import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { Trace, TraceAdded, TraceChange, TraceList, TraceSettings } from '#features/traces/shared/traces.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { ask, send } from '#ui/client/call.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { BASE, hideMissing } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN } from '#ui/client/request.ts';
import type { TraceFilter } from './traceFilter.ts';

const KEY = ['traces'];
const connection = SAME_ORIGIN;
/** How often corrections that are made are looked for. */
const CORRECTED_MS = 2_000;
/** All pages on screen are asked for again; more would cost too much. */
const POLLED_PAGES = 3;

/** What only our own studio tells of a trace. */
const OWN_FIELDS = { reason: null, datasetId: null };
const withOwn = <T extends object>(trace: T): typeof OWN_FIELDS & T => ({ ...OWN_FIELDS, ...trace });

/** `next` is absent where the service, as the hosted studio, has pages by number alone, and only its filters. */
export type ReadList = Omit<TraceList, 'next'> & Partial<Pick<TraceList, 'next'>>;

const isInWork = ({ processingStatus }: Trace): boolean => processingStatus === 'processing';

/** The cursor or the number of the page after these; null: they are all. */
export function toNextPage(last: ReadList | null, pages: readonly (ReadList | null)[]): string | number | null {
  if (last === null || last.next !== undefined) return last?.next ?? null;
  const read = pages.reduce((sum, page) => sum + (page?.results.length ?? 0), 0);
  return last.results.length > 0 && read < last.total ? pages.length + 1 : null;
}

/** A page is null where this service has no traces. */
export function tracesQuery(projectId: string, { sort, band, model, search }: TraceFilter) {
  const [sortBy = 'createdAt', sortOrder = 'desc'] = sort.split('-');
  return infiniteQueryOptions({
    ...BASE,
    queryKey: [...KEY, projectId, 'list', sort, band, model, search],
    queryFn: ({ signal, pageParam }) =>
      ask('/api/v1/traces', [], 'results', {
        query: {
          projectId,
          sortBy,
          sortOrder,
          band,
          modelIds: model,
          search,
          [typeof pageParam === 'number' ? 'page' : 'after']: pageParam,
        },
        signal,
        connection,
      })
        .then((list): ReadList => ({ ...list, results: list.results.map(withOwn) }))
        .catch(hideMissing),
    initialPageParam: null as string | number | null,
    getNextPageParam: toNextPage,
    staleTime: 10_000,
    refetchInterval: ({ state: { data } }) =>
      data && data.pages.length <= POLLED_PAGES && data.pages.some((page) => page?.results.some(isInWork))
        ? CORRECTED_MS
        : false,
  });
}

export function traceCountsQuery(projectId: string) {
  return queryOptions({
    ...BASE,
    queryKey: [...KEY, projectId, 'counts'],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/trace-counts', [], 'models', { query: { projectId }, signal, connection }).catch(hideMissing),
    staleTime: 10_000,
  });
}

export function wholeTraceQuery(id: string) {
  return queryOptions({
    ...BASE,
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => ask('/api/v1/traces/{traceId}', [id], 'output', { signal, connection }).then(withOwn),
    staleTime: 10_000,
    refetchInterval: ({ state: { data } }) => (data && isInWork(data) ? CORRECTED_MS : false),
  });
}

/** null: this service keeps none, or the project is a folder of runs, which is not asked about. */
export function traceSettingsQuery(projectId: string) {
  return queryOptions({
    ...BASE,
    queryKey: [...KEY, projectId, 'settings'],
    queryFn: async ({ signal, client }) => {
      const roots = await fetchKept(client, knownRootsQuery()).catch(() => null);
      if (roots?.some(({ id }) => id === projectId) === true) return null;
      return ask('/api/v1/studio/projects/{projectId}/trace-settings', [projectId], 'keeps_chats', {
        signal,
        connection,
      }).catch(hideMissing);
    },
    staleTime: 60_000,
  });
}

const toChanged =
  (change: (trace: Trace) => Trace | null) =>
  (data: InfiniteData<ReadList | null> | undefined): InfiniteData<ReadList | null> | undefined =>
    data && {
      ...data,
      pages: data.pages.map(
        (page) => page && { ...page, results: page.results.flatMap((trace) => change(trace) ?? []) },
      ),
    };

/** Puts a trace in the place of the same one in each list on screen; null: it is gone. */
function putInLists(client: QueryClient, id: string, next: Trace | null): void {
  client.setQueriesData<InfiniteData<ReadList | null>>(
    { queryKey: KEY, predicate: ({ queryKey }) => queryKey[2] === 'list' },
    toChanged((trace) => (trace.id === id ? next : trace)),
  );
}

/** Lists stay in their order, so that nothing moves under the hand that scores. */
async function refreshFigures(client: QueryClient, id: string): Promise<void> {
  await client.invalidateQueries({
    queryKey: KEY,
    predicate: ({ queryKey }) => queryKey[2] === 'counts' || queryKey[2] === id,
  });
}

/** Throws ApiFailure. */
export async function changeTrace(client: QueryClient, id: string, change: TraceChange): Promise<Trace> {
  const sent = await send('PUT', '/api/v1/traces/{traceId}', [id], { body: change, field: 'output', connection });
  const next = withOwn(sent);
  putInLists(client, id, next);
  await refreshFigures(client, id);
  return next;
}

/** Throws ApiFailure. */
export async function deleteTrace(client: QueryClient, id: string): Promise<void> {
  await send('DELETE', '/api/v1/traces/{traceId}', [id], { connection });
  putInLists(client, id, null);
  await refreshFigures(client, id);
}

/** Throws ApiFailure. `datasetId` null: the project's first one. */
export async function addToDataset(client: QueryClient, trace: Trace, datasetId: string | null): Promise<TraceAdded> {
  const added = await send('POST', '/api/v1/traces/{traceId}/addToDataset', [trace.id], {
    query: { datasetId },
    field: 'status',
    connection,
  });
  putInLists(client, trace.id, {
    ...trace,
    addedToDataset: added.status === 'added',
    processingStatus: added.status === 'queued' ? 'processing' : trace.processingStatus,
    reason: added.reason ?? null,
  });
  await refreshFigures(client, trace.id);
  return added;
}

/** Throws ApiFailure. */
export async function saveSettings(client: QueryClient, projectId: string, settings: TraceSettings): Promise<void> {
  const saved = await send('PUT', '/api/v1/studio/projects/{projectId}/trace-settings', [projectId], {
    body: settings,
    field: 'keeps_chats',
    connection,
  });
  client.setQueryData(traceSettingsQuery(projectId).queryKey, saved);
}
