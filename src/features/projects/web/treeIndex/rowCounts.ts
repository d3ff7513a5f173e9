// The counts of a dataset or snapshot in its row, as short and long text. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/readJson.ts';
import { formatCount } from '#ui/kit/format.ts';

export interface RowCounts {
  readonly short: string;
  readonly long: string;
}

/** null: the node has no counts, or the service did not provide them. */
export function toRowCounts(node: TreeNode): RowCounts | null {
  if (node.type === 'dataset') {
    const points = numberOr(node.metadata['datapoints_count'], null);
    return points === null ? null : { short: formatCount(points), long: `${formatCount(points)} rows` };
  }
  if (node.type !== 'snapshot') return null;
  const training = numberOr(node.metadata['training_count'], null);
  const validation = numberOr(node.metadata['validation_count'], null);
  if (training === null && validation === null) return null;
  const show = (count: number | null) => (count === null ? '?' : formatCount(count));
  return {
    short: `${show(training)} / ${show(validation)}`,
    long: `${show(training)} training · ${show(validation)} validation`,
  };
}
