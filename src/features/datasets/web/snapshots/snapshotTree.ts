// The datasets and snapshots of a project, and which of them a selected node belongs to. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';

export interface DatasetNode {
  readonly dataset: TreeNode;
  readonly snapshots: readonly TreeNode[];
}

/** In tree order. Datasets are right below a project. */
export function toDatasets(project: TreeNode): readonly DatasetNode[] {
  return project.children
    .filter(({ type }) => type === 'dataset')
    .map((dataset) => ({ dataset, snapshots: dataset.children.filter(({ type }) => type === 'snapshot') }));
}

/** Whether a subtree has the node. */
function hasNode(root: TreeNode, id: string): boolean {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.id === id) return true;
    for (const child of node.children) open.push(child);
  }
  return false;
}

/** The dataset that the node is, or is below; else the only one there is; else null. */
export function findDataset(datasets: readonly DatasetNode[], id: string | null): DatasetNode | null {
  const own = id === null ? undefined : datasets.find(({ dataset }) => hasNode(dataset, id));
  return own ?? (datasets.length === 1 ? (datasets[0] ?? null) : null);
}

/** The snapshot that the node is, or is below; else the newest one. */
export function findSnapshot({ snapshots }: DatasetNode, id: string | null): TreeNode | null {
  const own = id === null ? undefined : snapshots.find((snapshot) => hasNode(snapshot, id));
  return own ?? snapshots.at(-1) ?? null;
}

/** The one before it, which is what it is usually compared with; else any other. */
export function findOther({ snapshots }: DatasetNode, id: string): TreeNode | null {
  const at = snapshots.findIndex((snapshot) => snapshot.id === id);
  return snapshots[at - 1] ?? snapshots.find((snapshot) => snapshot.id !== id) ?? null;
}
