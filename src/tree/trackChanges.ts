// Puts what changed between two answers into the activity of the project. Loaded at the first change.
// Time and selection come in; it must not know when answers come.
import { nodeLabel } from '../contract/projectReader';
import { reduceActivity, toTouched } from './activity';
import { changeProjectActivity, readProjectActivity, type LostNode } from './activityStore';
import { diffTrees } from './diffTrees';
import type { TreeIndex } from './treeIndex';
import { ancestorPlaces } from './treePlaces';

/** More changed rows than this at once say nothing by lighting up. */
const MAX_TOUCHED = 1_000;

function findLost(previous: TreeIndex, next: TreeIndex, id: string | null, at: number): LostNode | null {
  const place = id === null || next.placeOf.has(id) ? undefined : previous.placeOf.get(id);
  const node = place === undefined ? undefined : previous.nodes[place];
  if (place === undefined || !node) return null;
  const above = ancestorPlaces(previous, place).flatMap((ancestor) => previous.nodes[ancestor] ?? []);
  const left = above.findLast((ancestor) => next.placeOf.has(ancestor.id)) ?? next.nodes[0];
  return left ? { id: node.id, label: nodeLabel(node), at, nextId: left.id, nextLabel: nodeLabel(left) } : null;
}

export function trackChanges(previous: TreeIndex, next: TreeIndex, selectedId: string | null, at: number): void {
  const projectId = next.nodes[0]?.id ?? '';
  const changes = diffTrees(previous, next);
  if (changes.length === 0) return;
  const { activity, isOpen, touched, lost } = readProjectActivity(projectId);
  changeProjectActivity(projectId, {
    activity: reduceActivity(activity, changes, { previous, next, at, isOpen }),
    touched: changes.length > MAX_TOUCHED ? null : { number: (touched?.number ?? 0) + 1, ...toTouched(changes, next) },
    lost: findLost(previous, next, selectedId, at) ?? lost,
  });
}
