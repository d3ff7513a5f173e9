// The changes between two answers of one project. Unchanged parts keep their identity between polls and are skipped, so
// the cost depends on the changes and not on the size of the tree. Pure.
import { NOTE_FIELDS, ownLabel, type TreeNode } from '#core/contract/projectReader.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

export type TreeChange =
  | { readonly kind: 'status'; readonly node: TreeNode; readonly from: string | null; readonly to: string | null }
  /** Another field of the node: its name, counts, model id. */
  | { readonly kind: 'fields'; readonly node: TreeNode }
  /** The top of an added or removed subtree; `beneath` counts the nodes below it. */
  | { readonly kind: 'added' | 'removed'; readonly node: TreeNode; readonly beneath: number };

/** Compares all fields but the children and what people noted: a name, a tag or a star is no change of a run. */
function hasSameFields(a: TreeNode, b: TreeNode): boolean {
  if (ownLabel(a) !== ownLabel(b) || a.type !== b.type) return false;
  const { metadata } = a;
  if (metadata === b.metadata) return true;
  // Makes no lists: in an answer where everything is new this runs 100,000 times.
  let left = 0;
  for (const name in metadata) {
    if (NOTE_FIELDS.has(name)) continue;
    if (!Object.is(metadata[name], b.metadata[name])) return false;
    left += 1;
  }
  for (const name in b.metadata) if (!NOTE_FIELDS.has(name)) left -= 1;
  return left === 0;
}

function isAligned(before: readonly TreeNode[], after: readonly TreeNode[]): boolean {
  if (before.length !== after.length) return false;
  for (let at = 0; at < before.length; at += 1) if (before[at]?.id !== after[at]?.id) return false;
  return true;
}

/** Changes in tree order, removed nodes after their former siblings. None for another project. */
export function diffTrees(previous: TreeIndex, next: TreeIndex): readonly TreeChange[] {
  const changes: TreeChange[] = [];
  const sizeOf = (index: TreeIndex, id: string): number => index.size[index.placeOf.get(id) ?? -1] ?? 1;

  const compare = (before: TreeNode, after: TreeNode): void => {
    if (before === after) return;
    if (before.status !== after.status) {
      changes.push({ kind: 'status', node: after, from: before.status ?? null, to: after.status ?? null });
    } else if (!hasSameFields(before, after)) {
      changes.push({ kind: 'fields', node: after });
    }
    if (before.children !== after.children) compareChildren(before.children, after.children);
  };

  const compareChildren = (before: readonly TreeNode[], after: readonly TreeNode[]): void => {
    // The children are nearly always the same in the same order; only other cases need a map.
    if (isAligned(before, after)) {
      for (let at = 0; at < before.length; at += 1) {
        const [node, other] = [before[at], after[at]];
        if (node && other) compare(node, other);
      }
      return;
    }
    const old = new Map(before.map((node) => [node.id, node]));
    for (const node of after) {
      const known = old.get(node.id);
      const place = known ? undefined : previous.placeOf.get(node.id);
      const moved = place === undefined ? undefined : previous.nodes[place];
      if (known ?? moved) compare(known ?? moved ?? node, node);
      else changes.push({ kind: 'added', node, beneath: sizeOf(next, node.id) - 1 });
    }
    for (const node of before) {
      // A moved node is compared at its new place.
      if (!next.placeOf.has(node.id)) changes.push({ kind: 'removed', node, beneath: sizeOf(previous, node.id) - 1 });
    }
  };

  const before = previous.nodes[0];
  const after = next.nodes[0];
  if (before && after && before.id === after.id) compare(before, after);
  return changes;
}
