import type { TreeNode } from '#shared/contract/projectReader.ts';
import { useUrlState } from '#web/session/urlState.ts';
import { toShownTree } from '#web/tree/index/shownTree.ts';

/** The tree without what people archived, unless the address asks for that too. */
export function useShownTree(root: TreeNode): TreeNode {
  const { archived } = useUrlState();
  return archived === null ? toShownTree(root) : root;
}
