// Finds compared experiments and snapshots in a project's tree, with the nodes above them. Pure.
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { textOr } from '#core/contract/readJson.ts';
import type { PlacedExperiment } from '#features/experiments/shared/runCandidates.ts';

export interface FoundNodes {
  readonly experiments: ReadonlyMap<string, PlacedExperiment>;
  /** Names of snapshots by id: `dataset › snapshot`. */
  readonly snapshots: ReadonlyMap<string, string>;
  /** Names of the snapshots' datasets, by snapshot id. */
  readonly datasets: ReadonlyMap<string, string>;
  /** The snapshots themselves, by id. */
  readonly snapshotNodes: ReadonlyMap<string, TreeNode>;
  /** When snapshots were created, if the service says so. */
  readonly snapshotDates: ReadonlyMap<string, string>;
}

/** Walks the tree in its order and stops after the last wanted node. Of a repeated id, the first node counts. */
export function findCompared(
  project: TreeNode,
  experimentIds: ReadonlySet<string>,
  snapshotIds: ReadonlySet<string>,
): FoundNodes {
  const experiments = new Map<string, PlacedExperiment>();
  const snapshots = new Map<string, string>();
  const datasets = new Map<string, string>();
  const snapshotNodes = new Map<string, TreeNode>();
  const snapshotDates = new Map<string, string>();
  const visit = (node: TreeNode, above: Omit<PlacedExperiment, 'node'>): void => {
    if (experiments.size === experimentIds.size && snapshots.size === snapshotIds.size) return;
    const { dataset } = above;
    if (node.type === 'experiment' && experimentIds.has(node.id) && !experiments.has(node.id))
      experiments.set(node.id, { ...above, node });
    if (node.type === 'snapshot' && snapshotIds.has(node.id) && !snapshots.has(node.id)) {
      snapshotNodes.set(node.id, node);
      snapshots.set(node.id, dataset ? `${nodeLabel(dataset)} › ${nodeLabel(node)}` : nodeLabel(node));
      if (dataset) datasets.set(node.id, nodeLabel(dataset));
      const created = textOr(node.metadata['created_at'], null);
      if (created !== null) snapshotDates.set(node.id, created);
    }
    const below = {
      dataset: node.type === 'dataset' ? node : dataset,
      snapshot: node.type === 'snapshot' ? node : above.snapshot,
      job: node.type === 'finetuning-job' ? node : above.job,
    };
    for (const child of node.children) visit(child, below);
  };
  visit(project, { dataset: null, snapshot: null, job: null });
  return { experiments, snapshots, datasets, snapshotNodes, snapshotDates };
}
