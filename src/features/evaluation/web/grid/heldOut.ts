// The snapshots whose validation rows a grid can take. Pure.
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/readJson.ts';
import { formatCount } from '#ui/kit/format.ts';

export interface HeldOutSource {
  readonly snapshotId: string;
  /** "Ticket triage · Snapshot 1" */
  readonly label: string;
  /** Number of validation rows; null: the service does not say. */
  readonly rows: number | null;
}

/** What a grid takes of a snapshot: 10,000 rows, and as much text as of a file. */
export const HELD_OUT_LIMITS = { lines: 10_000, length: 64 * 1024 * 1024 } as const;

/** Says that only the first rows were taken. `total` null: the service doesn't count them. */
export const toCutText = (taken: number, { label, rows: total }: Pick<HeldOutSource, 'label' | 'rows'>): string =>
  total === null
    ? `Only the first ${formatCount(taken)} validation rows of ${label} were read: a grid takes no more.`
    : `Only the first ${formatCount(taken)} of ${formatCount(total)} validation rows of ${label} were read: a grid takes ` +
      'no more.';

interface Wanted {
  /** Id of the selected node; null: none. */
  readonly node: string | null;
  /** Models of the columns. */
  readonly models: readonly string[];
}

function someNode(node: TreeNode, test: (node: TreeNode) => boolean): boolean {
  return test(node) || node.children.some((child) => someNode(child, test));
}

/** The lower, the sooner a person wants this snapshot. `isAboveSelected`: a selected node holds the snapshot. */
function toRank(snapshot: TreeNode, isAboveSelected: boolean, { node, models }: Wanted): number {
  if (node !== null && someNode(snapshot, ({ id }) => id === node)) return 0;
  const isTuned = ({ metadata: { model_id: model } }: TreeNode): boolean =>
    typeof model === 'string' && models.includes(model);
  const isOwn = someNode(snapshot, isTuned);
  if (isAboveSelected) return isOwn ? 1 : 2;
  return isOwn ? 3 : 4;
}

/**
 * Snapshots with validation rows: that of the selected node first, then those that the columns' models were trained on,
 * then the others in the order of the tree.
 */
export function findHeldOutSources(project: TreeNode | null, wanted: Wanted): readonly HeldOutSource[] {
  const found: { readonly source: HeldOutSource; readonly rank: number }[] = [];
  const visit = (node: TreeNode, dataset: TreeNode | null, isSelectedAbove: boolean): void => {
    const rows = numberOr(node.metadata['validation_count'], null);
    if (node.type === 'snapshot') {
      const label = [dataset, node].flatMap((each) => (each ? [nodeLabel(each)] : [])).join(' · ');
      const source = { snapshotId: node.id, label, rows };
      if (rows !== 0) found.push({ source, rank: toRank(node, isSelectedAbove, wanted) });
      return;
    }
    // The whole project is no choice.
    const isSelected = isSelectedAbove || (node.id === wanted.node && node.type !== 'project');
    for (const child of node.children) visit(child, node.type === 'dataset' ? node : dataset, isSelected);
  };
  if (project) visit(project, null, false);
  return found.toSorted((a, b) => a.rank - b.rank).map(({ source }) => source);
}
