// The tree without what people archived. Nodes that keep all below them stay the same objects. Pure.
import { isArchived, type TreeNode } from '#core/contract/projectReader.ts';
import { prepareTreeIndex, treeIndex, type TreeIndex } from './treeIndex.ts';
import { ancestorPlaces } from './treePlaces.ts';

/** Archived nodes that are in no other archived node. */
export function archivedTops({ archived, size }: TreeIndex): readonly number[] {
  let end = 0;
  return archived.filter((at) => {
    if (at < end) return false;
    end = at + (size[at] ?? 1);
    return true;
  });
}

/** A result depends on nothing but the node and what is below it, so an unchanged branch of the next answer has the same. */
const results = new WeakMap<TreeNode, TreeNode>();

/** The tree itself where nothing is archived. */
export function toShownTree(root: TreeNode): TreeNode {
  const known = results.get(root);
  if (known) return known;
  const index = treeIndex(root);
  const above = new Set(
    archivedTops(index).flatMap((at) => ancestorPlaces(index, at).map((place) => index.nodes[place])),
  );
  const toShown = (node: TreeNode): TreeNode => {
    if (!above.has(node)) return node;
    const before = results.get(node);
    if (before) return before;
    const result = { ...node, children: node.children.filter((child) => !isArchived(child)).map(toShown) };
    results.set(node, result);
    return result;
  };
  return toShown(root);
}

/** Builds and caches the indexes of a tree, with and without what is archived, in steps. */
export function* prepareShownTree(root: TreeNode): Generator<undefined, void> {
  yield* prepareTreeIndex(root);
  yield* prepareTreeIndex(toShownTree(root));
}
