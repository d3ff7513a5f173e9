// The list of changes in a project while it was open, newest first. Pure: times and numbers are arguments.
import { nodeLabel } from '#core/contract/projectReader.ts';
import type { Activity, ActivityEntry } from './activityState.ts';
import type { TreeChange } from './diffTrees.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { ancestorPlaces } from '#features/projects/web/treeIndex/treePlaces.ts';

const MAX_ENTRIES = 200;

/** "Dataset › Snapshot": the labels above a node. */
export function toPathText(index: TreeIndex, id: string): string {
  const at = index.placeOf.get(id);
  if (at === undefined) return '';
  return ancestorPlaces(index, at)
    .slice(1)
    .flatMap((place) => index.nodes[place] ?? [])
    .map(nodeLabel)
    .join(' › ');
}

interface Learned {
  readonly previous: TreeIndex;
  readonly next: TreeIndex;
  readonly at: number;
  readonly isOpen: boolean;
}

/** Adds the changes of one answer. The list shows no change of other fields than the status. */
export function reduceActivity(
  activity: Activity,
  changes: readonly TreeChange[],
  { previous, next, at, isOpen }: Learned,
): Activity {
  const shown = changes.filter((change) => change.kind !== 'fields');
  if (shown.length === 0) return activity;
  const added = shown.slice(-MAX_ENTRIES).map((change, place): ActivityEntry => {
    const { node, kind } = change;
    return {
      number: activity.total + shown.length - Math.min(shown.length, MAX_ENTRIES) + place + 1,
      at,
      kind,
      id: node.id,
      type: node.type,
      label: nodeLabel(node),
      path: toPathText(kind === 'removed' ? previous : next, node.id),
      from: kind === 'status' ? change.from : null,
      to: kind === 'status' ? change.to : (node.status ?? null),
      beneath: kind === 'status' ? 0 : change.beneath,
    };
  });
  return {
    entries: [...added.toReversed(), ...activity.entries].slice(0, MAX_ENTRIES),
    unseen: isOpen ? 0 : activity.unseen + shown.length,
    total: activity.total + shown.length,
  };
}

/** Ids whose rows briefly highlight a change: the changed nodes and all their ancestors. */
export function toTouched(
  changes: readonly TreeChange[],
  next: TreeIndex,
): { readonly own: ReadonlySet<string>; readonly within: ReadonlySet<string> } {
  const own = new Set<string>();
  const within = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'removed') continue;
    own.add(change.node.id);
    for (const place of ancestorPlaces(next, next.placeOf.get(change.node.id) ?? 0)) within.add(next.keys[place] ?? '');
  }
  return { own, within };
}
