// Queries of rows, their statistics and findings, and changes of rows. Only code that loads later imports this file.
import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type {
  MarksMade,
  MarksRequest,
  RowPage,
  RowsOf,
  RowsQuestion,
} from '#features/datasets/shared/contract/rows.ts';
import { toPath } from '#core/contract/path.ts';
import type { FilteredForm } from '#features/datasets/shared/contract/filteredFile.ts';
import { ask, send } from '#ui/client/call.ts';
import { BASE } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

export const PAGE_ROWS = DATA_LIMITS.page;
const WORKING_MS = 1000;

const OWNERS = {
  dataset: '/api/v1/studio/datasets/{datasetId}',
  snapshot: '/api/v1/studio/snapshots/{snapshotId}',
} as const;

/** Everything that is known of rows begins with this key. */
const toKey = ({ kind, id }: RowsOf) => ['data', kind, id] as const;

const askPage = ({ kind, id }: RowsOf, query: RowsQuestion, signal: AbortSignal, connection: Connection) =>
  ask(`${OWNERS[kind]}/table`, [id], 'rows', { query, signal, connection });

/** The rows from a position on, at most PAGE_ROWS. */
export function rowPageQuery(of: RowsOf, from: number, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'page', from],
    queryFn: ({ signal }) => askPage(of, { from, limit: PAGE_ROWS }, signal, connection),
    staleTime: 60_000,
  });
}

export type RowFilter = Omit<RowsQuestion, 'from' | 'limit'>;

export const isByFinding = ({ finding }: RowFilter): boolean => finding !== undefined && finding !== '';

/**
 * The rows that a filter finds, page after page: how many there are is known at the end. `version`: of the findings, where it
 * filters by one; the service refuses to while it looks for them.
 */
export function foundRowsQuery(of: RowsOf, filter: RowFilter, version: number, connection: Connection = SAME_ORIGIN) {
  return infiniteQueryOptions({
    ...BASE,
    queryKey: [...toKey(of), isByFinding(filter) ? 'by-finding' : 'found', filter, version],
    queryFn: ({ signal, pageParam }) =>
      askPage(of, { ...filter, from: pageParam, limit: PAGE_ROWS }, signal, connection),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    // Another version shows the rows of the one before until its own are there.
    placeholderData: version === 0 ? undefined : keepPreviousData,
    staleTime: 60_000,
  });
}

export function wholeRowQuery(of: RowsOf, position: number, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'row', position],
    queryFn: ({ signal }) =>
      ask(`${OWNERS[of.kind]}/table/{position}`, [of.id, position], 'row', { signal, connection }),
    staleTime: 60_000,
  });
}

/** A row as a base model sees it; `context` null: the model's own. The row before is shown until this one is there. */
export function rowViewQuery(
  of: RowsOf,
  position: number,
  model: string,
  context: number | null,
  connection: Connection = SAME_ORIGIN,
) {
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'view', position, model, context],
    queryFn: ({ signal }) =>
      ask(`${OWNERS[of.kind]}/table/{position}/view`, [of.id, position], 'spans', {
        query: { model, context },
        signal,
        connection,
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Whose tokens are counted, and for which context cuts are told; null: the model's own. */
export interface TokensOf {
  /** null: one that was asked for before, or none. */
  readonly model: string | null;
  readonly context?: number | null;
}

/** Asked again each second while the service counts. */
export function statisticsQuery(of: RowsOf, tokens: TokensOf = { model: null }, connection: Connection = SAME_ORIGIN) {
  const { model, context = null } = tokens;
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'statistics', model, context],
    queryFn: ({ signal }) =>
      ask(`${OWNERS[of.kind]}/statistics`, [of.id], 'characters', { query: { model, context }, signal, connection }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? WORKING_MS : false),
  });
}

/** Reads all rows, so it is asked only when somebody wants to know. */
export function fitsQuery(of: RowsOf, filter: RowFilter, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'fits', filter],
    queryFn: ({ signal }) => ask(`${OWNERS[of.kind]}/fits`, [of.id], 'fits', { query: filter, signal, connection }),
    staleTime: 60_000,
  });
}

/** A file with all rows that a filter leaves; `original`: the lines that they came from. */
export const filteredRowsPath = ({ kind, id }: RowsOf, filter: RowFilter, form: FilteredForm): string =>
  toPath(`${OWNERS[kind]}/filtered-rows`, [id], { ...filter, form: form === 'chat' ? null : form });

/** Asked again each second while the service looks for them. */
export function findingsQuery(of: RowsOf, model: string | null = null, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: [...toKey(of), 'findings', model],
    queryFn: ({ signal }) =>
      ask(`${OWNERS[of.kind]}/findings`, [of.id], 'findings', { query: { model }, signal, connection }),
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? WORKING_MS : false),
  });
}

/** What a query of rows is about: the part of its key after the rows themselves. */
const toPart = ({ queryKey }: { readonly queryKey: readonly unknown[] }): unknown => queryKey[3];

/** The positions of the rows that a filter finds, in order: the first ones, at most `most`. */
export async function readPositions(
  of: RowsOf,
  filter: RowFilter,
  most: number,
  connection: Connection = SAME_ORIGIN,
): Promise<readonly number[]> {
  const { signal } = new AbortController();
  const positions: number[] = [];
  for (let from: number | null = 0; from !== null && positions.length < most;) {
    const question = { ...filter, from, limit: PAGE_ROWS };
    const page: RowPage = await askPage(of, question, signal, connection);
    positions.push(...page.rows.map(({ position }) => position));
    from = page.next;
  }
  return positions.slice(0, most);
}

/** All rows and those that a search found are asked for again, with what was counted of them meanwhile. */
export const refreshRows = (client: QueryClient, of: RowsOf): Promise<void> =>
  client.invalidateQueries({
    queryKey: toKey(of),
    predicate: (query) => toPart(query) === 'page' || toPart(query) === 'found',
  });

/** Changes rows of a dataset. Everything that is known of its rows is asked for again. Throws ApiFailure. */
export async function markRows(
  client: QueryClient,
  datasetId: string,
  request: MarksRequest,
  connection: Connection = SAME_ORIGIN,
): Promise<MarksMade> {
  const made = await send('POST', '/api/v1/studio/datasets/{datasetId}/marks', [datasetId], {
    body: request,
    // Without it the page could not offer to undo the change.
    field: 'undo',
    connection,
  });
  await client.invalidateQueries({
    queryKey: toKey({ kind: 'dataset', id: datasetId }),
    // Tags change no finding. Else rows by finding are asked for once the findings are known again.
    predicate: (query) => toPart(query) !== (request.change === 'tag' ? 'findings' : 'by-finding'),
  });
  return made;
}
