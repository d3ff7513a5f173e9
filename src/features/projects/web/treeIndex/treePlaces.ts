// Walks through the places of a tree's index. Pure.
import type { TreeIndex } from './treeIndex.ts';

/** The place of the node with this key; -1: it is not in the tree. */
export function findPlace(index: TreeIndex, key: string): number {
  return index.repeats.get(key) ?? index.placeOf.get(key) ?? -1;
}

/** Places of the node's ancestors, the project first; empty for the project itself. */
export function ancestorPlaces(index: TreeIndex, at: number): readonly number[] {
  const places: number[] = [];
  for (let above = index.parent[at] ?? -1; above >= 0; above = index.parent[above] ?? -1) places.unshift(above);
  return places;
}

/** The places of the node's children, in order. */
export function childPlaces(index: TreeIndex, at: number): readonly number[] {
  const places: number[] = [];
  const end = at + (index.size[at] ?? 1);
  for (let child = at + 1; child < end; child += index.size[child] ?? 1) places.push(child);
  return places;
}
