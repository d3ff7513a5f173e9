// Opening and closing a whole subtree at once. Pure.
import { ALL_OPEN, setOpen, type OpenState } from './openState.ts';
import type { TreeIndex } from './treeIndex.ts';

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
