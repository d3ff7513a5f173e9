// The status that a node is shown with. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toStatusMeaning } from '#core/contract/statuses.ts';

/** Runs come in the order in which they were made. */
function findNewestRun({ children }: TreeNode): TreeNode | null {
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at];
    if (!child || toStatusMeaning(child.status) === 'gone') continue;
    const run = child.type === 'experiment' ? child : findNewestRun(child);
    if (run) return run;
  }
  return null;
}

/** undefined: none. That its data are ready is no good news of a dataset whose newest run failed, and reads as if it were. */
export function toShownStatus(node: TreeNode): string | undefined {
  const { type, status } = node;
  if (type !== 'dataset' || toStatusMeaning(status) !== 'good') return status;
  return toStatusMeaning(findNewestRun(node)?.status) === 'bad' ? undefined : status;
}
