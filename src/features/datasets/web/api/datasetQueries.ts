// Queries of datasets and snapshots as they are made. Only code that loads later imports this file.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  cancelImportPath,
  comparePath,
  DATA_ROUTES,
  datasetPath,
  splitPath,
} from '#features/datasets/shared/contract/dataRoutes.ts';
import {
  readComparison,
  readDataset,
  readDeleted,
  readSplit,
  type ReadDataset,
} from '#features/datasets/shared/contract/datasetReader.ts';
import type { DeletedNode, SnapshotComparison, Split } from '#features/datasets/shared/contract/datasets.ts';
import { BASE, fetchJson, hideMissing } from '#ui/client/queryRules.ts';
import { requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

const IMPORTING_MS = 1000;

/** A dataset, asked for each second while it is imported; null: the service does not have it, or not yet. */
export function datasetQuery(id: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['dataset', id],
    queryFn: ({ signal }): Promise<ReadDataset | null> =>
      fetchJson(datasetPath(id), readDataset, signal, connection).catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) => (data?.status === 'processing' ? IMPORTING_MS : false),
    enabled: id !== '',
  });
}

/** Ends an import; nothing of it is kept. Throws ApiFailure. */
export async function cancelImport(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(cancelImportPath(id), { method: 'POST', connection });
}

/** How a snapshot of a dataset would be split. */
export function splitQuery(datasetId: string, percentage: number, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['split', datasetId, percentage],
    queryFn: ({ signal }): Promise<Split> => fetchJson(splitPath(datasetId, percentage), readSplit, signal, connection),
    // Marks of rows change it.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function comparisonQuery(snapshotId: string, otherId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['snapshot-comparison', snapshotId, otherId],
    queryFn: ({ signal }): Promise<SnapshotComparison> =>
      fetchJson(comparePath(snapshotId, otherId), readComparison, signal, connection),
    // Snapshots never change.
    staleTime: Infinity,
    enabled: otherId !== '',
  });
}

/** What was deleted and can be restored; null: this service deletes nothing. */
export function deletedQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['deleted'],
    queryFn: ({ signal }): Promise<readonly DeletedNode[] | null> =>
      fetchJson(DATA_ROUTES.deletedNodes, readDeleted, signal, connection).catch(hideMissing),
    staleTime: 0,
  });
}
