import type { TreeNode } from '#core/contract/projectReader.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { toShownTree } from '#features/projects/web/treeIndex/shownTree.ts';

/** The tree without what people archived, unless the address asks for that too. */
export function useShownTree(root: TreeNode): TreeNode {
  const { archived } = useUrlState();
  return archived === null ? toShownTree(root) : root;
}
