// The meaning of a selected node: its path, its snapshot, the experiments below it. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { TreeIndex } from './treeIndex.ts';
import { ancestorPlaces } from './treePlaces.ts';

/** The node and its ancestors, the project first; null: the tree has no such node. */
export function findPath(index: TreeIndex, id: string): readonly TreeNode[] | null {
  const at = index.placeOf.get(id);
  if (at === undefined) return null;
  return [...ancestorPlaces(index, at), at].flatMap((place) => index.nodes[place] ?? []);
}

/** The snapshot on the path; null above any snapshot. */
export function nearestSnapshot(path: readonly TreeNode[]): TreeNode | null {
  return path.findLast((node) => node.type === 'snapshot') ?? null;
}

/** All experiments in the subtree of the node at this place, itself included, in tree order. */
export function experimentsBeneath(index: TreeIndex, at: number): readonly TreeNode[] {
  return index.nodes.slice(at, at + (index.size[at] ?? 1)).filter((node) => node.type === 'experiment');
}
