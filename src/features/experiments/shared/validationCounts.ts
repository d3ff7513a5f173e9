// How many validation rows each snapshot of a tree has (SPEC 2.1). Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { numberOr } from '#core/contract/readJson.ts';

/** By the snapshot's id. Snapshots without validation rows are left out. */
export function toValidationCounts(root: TreeNode): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visit = (node: TreeNode): void => {
    if (node.type === 'snapshot') {
      const count = numberOr(node.metadata['validation_count'], 0);
      if (count > 0) counts.set(node.id, count);
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  return counts;
}
