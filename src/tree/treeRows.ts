// What of the tree is on show: the rows in order, and the same rows nested as react-arborist wants them.
// Only open branches are walked, so the cost follows what can be seen and not the size of the tree. Pure.
import { isOpen, type OpenState } from './openState';
import type { TreeHits } from './treeFilter';
import { childPlaces, type TreeIndex } from './treeIndex';

/** One row. `children` is null for a node without children and empty for a closed branch. */
export interface ViewRow {
  readonly id: string;
  readonly at: number;
  readonly isOpen: boolean;
  readonly children: readonly ViewRow[] | null;
}

export interface TreeRows {
  readonly top: readonly ViewRow[];
  readonly flat: readonly ViewRow[];
}

/** With more hits than this, branches wait closed with their number of hits: a key press must stay one frame. */
const MAX_OPENED_HITS = 2_000;

/** The open state that a filter starts with. */
export function filteredOpenState(index: TreeIndex, hits: TreeHits): OpenState {
  let budget = MAX_OPENED_HITS;
  const exceptions = new Set<string>();
  let row = [0];
  while (row.length > 0 && budget > 0) {
    const below: number[] = [];
    for (const at of row) {
      // A hit without hits beneath it stays closed.
      if ((hits.hitsWithin[at] ?? 0) <= (hits.isHit[at] ?? 0)) continue;
      const children = childPlaces(index, at).filter((child) => (hits.hitsWithin[child] ?? 0) > 0);
      if (children.length > budget) continue;
      budget -= children.length;
      exceptions.add(index.keys[at] ?? '');
      below.push(...children);
    }
    row = below;
  }
  return { isOpenByDefault: false, exceptions };
}

/** The places shown beneath an open branch: those with hits, or all when the branch itself is the only hit. */
function shownChildren(index: TreeIndex, hits: TreeHits | null, at: number): readonly number[] {
  const children = childPlaces(index, at);
  if (hits === null) return children;
  const kept = children.filter((child) => (hits.hitsWithin[child] ?? 0) > 0);
  return kept.length > 0 ? kept : children;
}

/** `open` is the filter's own open state while `hits` is not null. */
export function toTreeRows(index: TreeIndex, open: OpenState, hits: TreeHits | null): TreeRows {
  if (hits !== null && hits.count === 0) return { top: [], flat: [] };
  const flat: ViewRow[] = [];
  const visit = (at: number): ViewRow => {
    const key = index.keys[at] ?? '';
    if (index.size[at] === 1) {
      const leaf: ViewRow = { id: key, at, isOpen: false, children: null };
      flat.push(leaf);
      return leaf;
    }
    const children: ViewRow[] = [];
    const branch: ViewRow = { id: key, at, isOpen: isOpen(open, key), children };
    flat.push(branch);
    if (branch.isOpen) for (const child of shownChildren(index, hits, at)) children.push(visit(child));
    return branch;
  };
  return { top: [visit(0)], flat };
}
