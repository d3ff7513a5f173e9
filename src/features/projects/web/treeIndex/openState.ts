// Which branches are open: one default and its exceptions, so that "expand all" costs nothing. Pure; knows nodes only
// by key.
import type { TreeIndex } from './treeIndex.ts';
import { ancestorPlaces, childPlaces } from './treePlaces.ts';

export interface OpenState {
  /** The state of branches without an exception, including those that arrive later. */
  readonly isOpenByDefault: boolean;
  readonly exceptions: ReadonlySet<string>;
}

export const ALL_OPEN: OpenState = { isOpenByDefault: true, exceptions: new Set() };
export const ALL_CLOSED: OpenState = { isOpenByDefault: false, exceptions: new Set() };

/** A tree of up to this many nodes starts open. */
const SMALL_TREE = 300;

export function isOpen(state: OpenState, key: string): boolean {
  return state.isOpenByDefault !== state.exceptions.has(key);
}

/** Opens or closes the branches. Returns the same state if nothing changes. */
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

/** Opens every ancestor of the node. */
export function revealPlace(state: OpenState, index: TreeIndex, at: number): OpenState {
  const keys = ancestorPlaces(index, at).flatMap((place) => index.keys[place] ?? []);
  return setOpen(state, keys, true);
}

/** The first view of a tree: a small one open, a big one with only its project open. */
export function initialOpenState(index: TreeIndex): OpenState {
  if (index.nodes.length <= SMALL_TREE) return ALL_OPEN;
  return setOpen(ALL_CLOSED, index.keys.slice(0, 1), true);
}

/** Closes everything but the project: closing that too would leave one useless row. */
export function collapsedState(index: TreeIndex): OpenState {
  return setOpen(ALL_CLOSED, index.keys.slice(0, 1), true);
}

/** The action of `*`: opens all branches at the node's level under its parent. */
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

/** Opens the node and every branch below it. */
export function openSubtree(state: OpenState, index: TreeIndex, at: number): OpenState {
  return at === 0 ? ALL_OPEN : setOpen(state, branchKeys(index, at), true);
}

/** Closes the node and every branch below it. */
export function closeSubtree(state: OpenState, index: TreeIndex, at: number): OpenState {
  return setOpen(state, branchKeys(index, at), false);
}
