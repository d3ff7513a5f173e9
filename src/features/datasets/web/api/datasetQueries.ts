// Queries of datasets and snapshots as they are made. Only code that loads later imports this file.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import { ask, send } from '#ui/client/call.ts';
import { BASE, hideMissing } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

const IMPORTING_MS = 1000;

/** What only this studio tells of a dataset. */
const OWN_FIELDS = { form: null, progress: null, bad_lines: { count: 0, first: [] }, same_file_as: null, error: null };

/** A dataset, asked for each second while it is imported; null: the service does not have it, or not yet. */
export function datasetQuery(id: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['dataset', id],
    queryFn: ({ signal }) =>
      ask('/api/v1/public/datasets/{datasetId}', [id], 'status', { signal, connection })
        .then((dataset): Dataset => ({ ...OWN_FIELDS, ...dataset }))
        .catch(hideMissing),
    staleTime: 1000,
    refetchInterval: ({ state: { data } }) => (data?.status === 'processing' ? IMPORTING_MS : false),
    enabled: id !== '',
  });
}

/** Ends an import; nothing of it is kept. Throws ApiFailure. */
export async function cancelImport(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('POST', '/api/v1/studio/datasets/{datasetId}/cancel', [id], { connection });
}

/** How a snapshot of a dataset would be split. */
export function splitQuery(datasetId: string, percentage: number, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['split', datasetId, percentage],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/datasets/{datasetId}/split', [datasetId], 'training_count', {
        query: { percentage },
        signal,
        connection,
      }),
    // Marks of rows change it.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function comparisonQuery(snapshotId: string, otherId: string, connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['snapshot-comparison', snapshotId, otherId],
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/snapshots/{snapshotId}/compare', [snapshotId], 'added', {
        query: { with: otherId },
        signal,
        connection,
      }),
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
    queryFn: ({ signal }) =>
      ask('/api/v1/studio/deleted', [], 'deleted', { signal, connection })
        .then(({ deleted }) => deleted)
        .catch(hideMissing),
    staleTime: 0,
  });
}
