// Adds the changes between two answers to the project's activity. Loaded at the first change. Time and selection are
// arguments.
import { nodeLabel } from '#core/contract/projectReader.ts';
import { reduceActivity, toTouched } from './activity.ts';
import { changeProjectActivity, readProjectActivity, type RemovedNode } from './activityStore.ts';
import { diffTrees } from './diffTrees.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { ancestorPlaces } from '#features/projects/web/treeIndex/treePlaces.ts';

/** Highlighting more rows than this tells nothing. */
const MAX_TOUCHED = 1_000;

function findRemovedNode(previous: TreeIndex, next: TreeIndex, id: string | null, at: number): RemovedNode | null {
  const place = id === null || next.placeOf.has(id) ? undefined : previous.placeOf.get(id);
  const node = place === undefined ? undefined : previous.nodes[place];
  if (place === undefined || !node) return null;
  const above = ancestorPlaces(previous, place).flatMap((ancestor) => previous.nodes[ancestor] ?? []);
  const remaining = above.findLast((ancestor) => next.placeOf.has(ancestor.id)) ?? next.nodes[0];
  return remaining
    ? { id: node.id, label: nodeLabel(node), at, nextId: remaining.id, nextLabel: nodeLabel(remaining) }
    : null;
}

export function trackChanges(previous: TreeIndex, next: TreeIndex, selectedId: string | null, at: number): void {
  const projectId = next.nodes[0]?.id ?? '';
  const changes = diffTrees(previous, next);
  if (changes.length === 0) return;
  const { activity, isOpen, touched, removedNode } = readProjectActivity(projectId);
  changeProjectActivity(projectId, {
    activity: reduceActivity(activity, changes, { previous, next, at, isOpen }),
    touched: changes.length > MAX_TOUCHED ? null : { number: (touched?.number ?? 0) + 1, ...toTouched(changes, next) },
    removedNode: findRemovedNode(previous, next, selectedId, at) ?? removedNode,
  });
}
