// The snapshot of each dataset that a next training would use. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';

interface LatestSnapshot {
  readonly dataset: TreeNode;
  readonly snapshot: TreeNode;
}

/** The last of the newest `created_at`; without dates, the last in the tree. */
function findLatest(dataset: TreeNode): TreeNode | null {
  const timeOf = ({ metadata }: TreeNode): number => {
    const time = Date.parse(String(metadata['created_at'] ?? ''));
    return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
  };
  return dataset.children
    .filter(({ type }) => type === 'snapshot')
    .reduce<TreeNode | null>((best, next) => (best !== null && timeOf(best) > timeOf(next) ? best : next), null);
}

/** `path`: from the project to a project, dataset or snapshot. A selected snapshot is taken itself. */
export function toLatestSnapshots(path: readonly TreeNode[]): readonly LatestSnapshot[] {
  const snapshot = path.findLast(({ type }) => type === 'snapshot');
  const dataset = path.findLast(({ type }) => type === 'dataset');
  if (snapshot) return [{ dataset: dataset ?? snapshot, snapshot }];
  const datasets = dataset ? [dataset] : (path.at(-1)?.children.filter(({ type }) => type === 'dataset') ?? []);
  return datasets.flatMap((entry) => {
    const latest = findLatest(entry);
    return latest ? [{ dataset: entry, snapshot: latest }] : [];
  });
}
