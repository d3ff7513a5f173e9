// What the Detail tab says of a node above its fields. Pure.
import { isUnrecorded, type TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/reading.ts';
import type { RollUp } from '#features/projects/web/index/treeIndex.ts';
import { formatCount } from '#ui/kit/format.ts';
import { toKind } from '#app/web/layout/nodeWords.ts';

export interface SummaryLine {
  readonly label: string;
  readonly text: string;
}

const COUNTS = [
  ['datapoints_count', 'Rows'],
  ['training_count', 'Training rows'],
  ['validation_count', 'Validation rows'],
] as const;

const UNKNOWN_DATA: SummaryLine = {
  label: 'Data',
  text: 'No trainer wrote down on what these runs were trained. It may be different data.',
};

const PARTS = ['succeeded', 'active', 'failed', 'other'] as const satisfies readonly (keyof RollUp)[];

/** Lines without a value are left out; a node without runs below says so. */
export function toNodeSummary(node: TreeNode, rollUp: RollUp): readonly SummaryLine[] {
  const counts = COUNTS.flatMap(([name, label]) => {
    const count = numberOr(node.metadata[name], null);
    return count === null ? [] : [{ label, text: formatCount(count) }];
  });
  const runs = PARTS.flatMap((part) => (rollUp[part] > 0 ? [`${formatCount(rollUp[part])} ${part}`] : []));
  return [
    { label: 'Kind', text: toKind(node) },
    ...counts,
    ...(isUnrecorded(node) ? [UNKNOWN_DATA] : []),
    ...(node.metadata['reasoning'] === true ? [{ label: 'Reasoning', text: 'trains on reasoning' }] : []),
    {
      label: 'Runs below',
      text: runs.length === 0 ? 'none' : `${formatCount(rollUp.total)}: ${runs.join(', ')}`,
    },
  ];
}
