// The files of rows that the studio offers for a snapshot.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { projectQuery, rowsOfferQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toRowDownloads, toRowFiles, type RowDownload, type RowFiles } from '#features/experiments/shared/rowFiles.ts';
import { useUrlState } from '#ui/address/urlState.ts';

interface OfferedRows {
  /** What configs call the files, by the snapshot's id. */
  readonly rowFiles: ReadonlyMap<string, RowFiles>;
  readonly downloads: readonly RowDownload[];
}

const NONE: OfferedRows = { rowFiles: new Map(), downloads: [] };

/** Empty until it is known, and where the studio has no rows. `isLocal`: a gateway has none, and is not asked. */
export function useRowFiles(snapshot: TreeNode, isLocal: boolean): OfferedRows {
  const { project } = useUrlState();
  const client = useQueryClient();
  const { data: hasRows = false } = useQuery(rowsOfferQuery(isLocal ? snapshot.id : ''));
  if (!hasRows) return NONE;
  // The tree knows the dataset, whose name is part of the files' names.
  const tree = client.getQueryData(projectQuery(project ?? '').queryKey) ?? snapshot;
  const ids = new Set([snapshot.id]);
  return { rowFiles: toRowFiles(tree, ids), downloads: toRowDownloads(tree, ids) };
}
