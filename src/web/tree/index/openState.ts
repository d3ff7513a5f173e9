// Which branches are open: one rule for all and the exceptions to it, so that "expand all" costs nothing.
// Pure; it knows nodes only by their keys.
import type { TreeIndex } from './treeIndex.ts';
import { ancestorPlaces, childPlaces } from './treePlaces.ts';

export interface OpenState {
  /** Whether a branch without an exception is open; also holds for branches that arrive later. */
  readonly isOpenByDefault: boolean;
  readonly exceptions: ReadonlySet<string>;
}

export const ALL_OPEN: OpenState = { isOpenByDefault: true, exceptions: new Set() };
export const ALL_CLOSED: OpenState = { isOpenByDefault: false, exceptions: new Set() };

/** A tree of up to this many nodes is shown open at first: it can be read at a glance. */
const SMALL_TREE = 300;

export function isOpen(state: OpenState, key: string): boolean {
  return state.isOpenByDefault !== state.exceptions.has(key);
}

/** Opens or closes the branches; the same state comes back when nothing changes. */
export function setOpen(state: OpenState, keys: readonly string[], open: boolean): OpenState {
  const wrong = keys.filter((key) => isOpen(state, key) !== open);
  if (wrong.length === 0) return state;
  const exceptions = new Set(state.exceptions);
  for (const key of wrong) {
    if (open === state.isOpenByDefault) exceptions.delete(key);
    else exceptions.add(key);
  }
  return { ...state, exceptions };
}

/** Opens all that is above the node, so that it can be seen. */
export function revealPlace(state: OpenState, index: TreeIndex, at: number): OpenState {
  const keys = ancestorPlaces(index, at).flatMap((place) => index.keys[place] ?? []);
  return setOpen(state, keys, true);
}

/** The first view of a tree: a small one open, a big one closed beneath its project. */
export function initialOpenState(index: TreeIndex): OpenState {
  if (index.nodes.length <= SMALL_TREE) return ALL_OPEN;
  return setOpen(ALL_CLOSED, index.keys.slice(0, 1), true);
}

/** Everything closed but the project: closing that too would leave one useless row. */
export function collapsedState(index: TreeIndex): OpenState {
  return setOpen(ALL_CLOSED, index.keys.slice(0, 1), true);
}

/** What `*` does: opens all branches on the node's level under its parent. */
export function openSiblings(state: OpenState, index: TreeIndex, at: number): OpenState {
  const above = index.parent[at] ?? -1;
  const places = above < 0 ? [at] : childPlaces(index, above);
  return setOpen(
    state,
    places.filter((place) => (index.size[place] ?? 1) > 1).flatMap((place) => index.keys[place] ?? []),
    true,
  );
}

function branchKeys(index: TreeIndex, at: number): readonly string[] {
  const keys: string[] = [];
  const end = at + (index.size[at] ?? 1);
  for (let place = at; place < end; place += 1) if ((index.size[place] ?? 1) > 1) keys.push(index.keys[place] ?? '');
  return keys;
}

/** Opens the node and every branch beneath it. */
export function openBeneath(state: OpenState, index: TreeIndex, at: number): OpenState {
  return at === 0 ? ALL_OPEN : setOpen(state, branchKeys(index, at), true);
}

/** Closes the node and every branch beneath it. */
export function closeBeneath(state: OpenState, index: TreeIndex, at: number): OpenState {
  return setOpen(state, branchKeys(index, at), false);
}
