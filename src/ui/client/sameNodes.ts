// Keeps the identity of every unchanged part of a tree between two answers, so that only changes render again. Pure.
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';

/** Siblings compared before each chance to pause. */
const SLICE = 10;

function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((entry, index) => isSameValue(entry, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
  );
}

/** Compares everything but the children: known fields, and fields that SPEC does not have. */
function isSameNode(a: TreeNode, b: TreeNode): boolean {
  if (a.status !== b.status || a.label !== b.label || a.name !== b.name || a.type !== b.type) return false;
  const before: JsonObject = { ...a };
  const after: JsonObject = { ...b };
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => name === 'children' || (Object.hasOwn(after, name) && isSameValue(before[name], after[name])))
  );
}

function* keepChildren(old: readonly TreeNode[], next: readonly TreeNode[]): Generator<undefined, readonly TreeNode[]> {
  // Most answers keep the order, so the map is built only when a place has another id.
  let byId: Map<string, TreeNode> | null = null;
  let isSame = old.length === next.length;
  const kept: TreeNode[] = [];
  for (const [place, node] of next.entries()) {
    let before = old[place];
    if (before?.id !== node.id) {
      byId ??= new Map(old.map((entry) => [entry.id, entry]));
      before = byId.get(node.id);
    }
    const result = before ? yield* keepNodes(before, node) : node;
    isSame &&= result === old[place];
    kept.push(result);
    if (place % SLICE === SLICE - 1) yield undefined;
  }
  return isSame ? old : kept;
}

/**
 * `next` with each unchanged node and list replaced by the one in `old`; `old` itself when nothing changed. Yields
 * between slices.
 */
export function* keepNodes(old: TreeNode, next: TreeNode): Generator<undefined, TreeNode> {
  const children =
    next.children.length === 0 && old.children.length === 0
      ? old.children
      : yield* keepChildren(old.children, next.children);
  if (!isSameNode(old, next)) return { ...next, children };
  return children === old.children ? old : { ...old, children };
}
