// The rows of a table: all of them by their place, or those that a filter finds, page after page.
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { RowSummary } from '#features/datasets/shared/contract/rows.ts';
import {
  findingsQuery,
  foundRowsQuery,
  isByFinding,
  PAGE_ROWS,
  rowPageQuery,
  type RowFilter,
} from '#features/datasets/web/api/rowQueries.ts';
import { useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { isFiltered, toPages } from './rowFilter.ts';

/** `waiting`: it has not arrived. `left-out`: the snapshot does not have the row of this place. */
export type RowState = RowSummary | 'waiting' | 'left-out';

export interface Rows {
  /** Places in the table. */
  readonly count: number;
  /** Rows without a filter; null: not known yet. */
  readonly total: number | null;
  /** Rows that the filter finds; null: there is no filter, or the end is not reached. */
  readonly found: number | null;
  /** More rows may come. */
  readonly isSearching: boolean;
  /** The first position that was not searched; null: all were. */
  readonly searchedTo: number | null;
  readonly rowAt: (place: number) => RowState;
  /** Also of rows that have not arrived; null: it is not known. */
  readonly positionAt: (place: number) => number | null;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** Moving quickly asks for no page that is gone before it arrives. */
const REST_MS = 60;

/** The places on screen, once they stay for a moment. */
function useRest([from, to]: readonly [number, number]): readonly [number, number] {
  const [rest, setRest] = useState<readonly [number, number]>([0, PAGE_ROWS]);
  useEffect(() => {
    const timer = setTimeout(() => setRest([from, to]), REST_MS);
    return () => clearTimeout(timer);
  }, [from, to]);
  return rest;
}

function useAllRows(of: RowsOf, range: readonly [number, number], isOn: boolean): Rows {
  const [from, to] = useRest(range);
  const pages = isOn ? toPages(from, to) : [];
  // The first page says how many there are.
  const starts = [...new Set([0, ...pages])];
  const answers = useQueries({
    queries: starts.map((start) => ({ ...rowPageQuery(of, start), enabled: isOn })),
  });
  const total = answers.find(({ data }) => data)?.data?.total ?? null;
  const known = new Map<number, RowSummary>();
  for (const { data } of answers) for (const row of data?.rows ?? []) known.set(row.position, row);
  const arrived = new Set(starts.filter((_, at) => answers[at]?.data !== undefined));
  const failed = answers.filter(({ error }) => error !== null);
  return {
    count: total ?? 0,
    total,
    found: null,
    isSearching: false,
    searchedTo: null,
    rowAt: (place) =>
      known.get(place) ?? (arrived.has(Math.floor(place / PAGE_ROWS) * PAGE_ROWS) ? 'left-out' : 'waiting'),
    positionAt: (place) => place,
    error: failed[0]?.error ?? null,
    onRetry: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
}

function useFoundRows(
  of: RowsOf,
  filter: RowFilter,
  [, to]: readonly [number, number],
  isOn: boolean,
  version: number,
): Rows {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    ...foundRowsQuery(of, filter, version),
    enabled: isOn,
  });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const last = data?.pages.at(-1);
  const isNeeded = isOn && hasNextPage && !isFetching && error === null && rows.length < to + PAGE_ROWS / 2;
  useEffect(() => {
    if (isNeeded) void fetchNextPage();
  }, [isNeeded, fetchNextPage]);
  return {
    count: rows.length,
    total: last?.total ?? null,
    found: last?.found ?? (data && !hasNextPage ? rows.length : null),
    isSearching: isOn && error === null && (!data || hasNextPage),
    searchedTo: last?.next ?? null,
    rowAt: (place) => rows[place] ?? 'waiting',
    positionAt: (place) => rows[place]?.position ?? null,
    error,
    onRetry: () => void (data ? fetchNextPage() : refetch()),
  };
}

/** The version of the findings, and whether they are known now: after a change of rows they are looked for again. */
function useFindingsVersion(of: RowsOf, isOn: boolean): { readonly version: number; readonly isKnown: boolean } {
  const { model, isLoading } = useSeenModel();
  const { data, dataUpdatedAt, isFetching } = useQuery({ ...findingsQuery(of, model), enabled: isOn && !isLoading });
  const isKnown = data?.state === 'done' && !isFetching;
  const [version, setVersion] = useState(0);
  if (isKnown && version !== dataUpdatedAt) setVersion(dataUpdatedAt);
  return { version, isKnown };
}

/** `range`: the places on screen. */
export function useRows(of: RowsOf, filter: RowFilter, range: readonly [number, number]): Rows {
  const isFound = isFiltered(filter);
  const needsFindings = isByFinding(filter);
  const { version, isKnown } = useFindingsVersion(of, needsFindings);
  const all = useAllRows(of, range, !isFound);
  const found = useFoundRows(of, filter, range, isFound && (!needsFindings || isKnown), needsFindings ? version : 0);
  if (!isFound) return all;
  return needsFindings && !isKnown ? { ...found, isSearching: true } : found;
}
