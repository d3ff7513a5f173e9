// Snapshots of a project's tree, as the dialog names them. Pure.
import { isSucceeded } from '#core/contract/statuses.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';

export interface FoundSnapshot {
  readonly node: TreeNode;
  /** `Tickets › Snapshot 1`. */
  readonly label: string;
}

export function findSnapshots(project: TreeNode): readonly FoundSnapshot[] {
  return project.children.flatMap((dataset) =>
    dataset.children
      .filter(({ type }) => type === 'snapshot')
      .map((node) => ({ node, label: `${nodeLabel(dataset)} › ${nodeLabel(node)}` })),
  );
}

/** The snapshot that is selected, holds what is selected, or is the newest of what is selected; null: there is none. */
export function findSnapshotOf(project: TreeNode, selected: string | null): FoundSnapshot | null {
  const holds = (node: TreeNode): boolean => node.id === selected || node.children.some(holds);
  const all = findSnapshots(project);
  const dataset = project.children.find(({ id }) => id === selected);
  const inDataset = dataset && all.findLast(({ node }) => dataset.children.includes(node));
  return all.find(({ node }) => holds(node)) ?? inDataset ?? (all.length === 1 ? (all[0] ?? null) : null);
}

const toCount = ({ metadata }: TreeNode, name: string): number | null => {
  const count = metadata[name];
  return typeof count === 'number' ? count : null;
};

/** How many rows a snapshot trains on; null: not said. */
export const toTrainingCount = (snapshot: TreeNode): number | null => toCount(snapshot, 'training_count');
export const toValidationCount = (snapshot: TreeNode): number | null => toCount(snapshot, 'validation_count');

/** A run from whose model another one can go on. */
export interface RunSource {
  readonly id: string;
  readonly base: string;
  /** `Polite replies › Experiment 1`. */
  readonly label: string;
}

export const findSources = (project: TreeNode): readonly RunSource[] =>
  project.children.flatMap((dataset) =>
    dataset.children.flatMap((snapshot) =>
      snapshot.children.flatMap((job) =>
        job.children
          .filter(({ status, metadata }) => isSucceeded(status) && metadata['model_id'])
          .map((run) => ({
            id: run.id,
            base: String(run.metadata['base_model_id']),
            label: `${nodeLabel(dataset)} › ${nodeLabel(run)}`,
          })),
      ),
    ),
  );
