// The files of rows that a person can download from the studio, by the names that configs use for them. Pure.
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { ROW_BUCKETS, toRowsFileName, type RowBucket } from '#core/contract/rowsFile.ts';
import { toPath } from '#core/contract/path.ts';
import { numberOr } from '#core/contract/readJson.ts';

/** File names of a snapshot's parts. */
export type RowFiles = Readonly<Record<RowBucket, string>>;

/** The snapshots of a tree, each with the dataset that holds it. */
function* walkSnapshots(node: TreeNode, dataset: TreeNode | null): Generator<readonly [TreeNode, TreeNode | null]> {
  if (node.type === 'snapshot') {
    yield [node, dataset];
    return;
  }
  for (const child of node.children) yield* walkSnapshots(child, node.type === 'dataset' ? node : dataset);
}

function findSnapshots(root: TreeNode, ids: ReadonlySet<string>): readonly (readonly [TreeNode, TreeNode | null])[] {
  return ids.size === 0 ? [] : [...walkSnapshots(root, null)].filter(([snapshot]) => ids.has(snapshot.id));
}

const toName = (snapshot: TreeNode, dataset: TreeNode | null, bucket: RowBucket): string =>
  toRowsFileName(
    { snapshotId: snapshot.id, dataset: dataset ? nodeLabel(dataset) : '', snapshot: nodeLabel(snapshot) },
    bucket,
  );

/** The files of some snapshots of a tree, by the snapshot's id: as the service names them. */
export function toRowFiles(root: TreeNode, ids: ReadonlySet<string>): ReadonlyMap<string, RowFiles> {
  return new Map(
    findSnapshots(root, ids).map(([snapshot, dataset]) => [
      snapshot.id,
      { training: toName(snapshot, dataset, 'training'), validation: toName(snapshot, dataset, 'validation') },
    ]),
  );
}

/** A file to download. */
export interface RowDownload {
  /** `Training rows (2,200)`; with several snapshots also of which: `Training rows of Tickets › First (2,200)`. */
  readonly label: string;
  readonly path: string;
  readonly fileName: string;
}

const WORDS: Readonly<Record<RowBucket, string>> = { training: 'Training rows', validation: 'Validation rows' };

/** The downloads of some snapshots of a tree, without parts that are known to be empty. */
export function toRowDownloads(root: TreeNode, ids: ReadonlySet<string>): readonly RowDownload[] {
  const found = findSnapshots(root, ids);
  return found.flatMap(([snapshot, dataset]) => {
    const place = [dataset, snapshot].flatMap((node) => (node ? [nodeLabel(node)] : [])).join(' › ');
    return ROW_BUCKETS.flatMap((bucket) => {
      const count = numberOr(snapshot.metadata[`${bucket}_count`], null);
      if (count === 0) return [];
      const of = found.length > 1 ? ` of ${place}` : '';
      const rows = count === null ? '' : ` (${count.toLocaleString('en-US')})`;
      return {
        label: `${WORDS[bucket]}${of}${rows}`,
        path: toPath('/api/v1/studio/snapshots/{snapshotId}/rows', [snapshot.id], { bucket }),
        fileName: toName(snapshot, dataset, bucket),
      };
    });
  });
}
