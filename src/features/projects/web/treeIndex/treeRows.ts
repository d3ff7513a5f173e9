// The visible rows: the places of the open part of the tree, in order, as one typed array. Pure. A pass over 100,000
// open rows takes about a millisecond, so every view starts from scratch.
import { isOpen, type OpenState } from './openState.ts';
import type { TreeHits } from './treeFilter.ts';
import type { TreeIndex } from './treeIndex.ts';
import { childPlaces, findPlace } from './treePlaces.ts';

/**
 * One row, ready to draw. `children` is null for a node without children, else empty, because the rows are a flat list.
 */
export interface ViewRow {
  readonly id: string;
  readonly at: number;
  /** Row number from the top, from 0. */
  readonly row: number;
  readonly isOpen: boolean;
  readonly children: readonly ViewRow[] | null;
}

export interface TreeRows {
  readonly index: TreeIndex;
  readonly open: OpenState;
  /** The place of each row, ascending. */
  readonly places: Int32Array;
  readonly count: number;
}

/** With more hits than this, branches start closed and show their number of hits, as an overview. */
const MAX_OPENED_HITS = 2_000;

const NO_ROWS: readonly ViewRow[] = [];

/** The initial open state of a filter. */
export function filteredOpenState(index: TreeIndex, hits: TreeHits): OpenState {
  let budget = MAX_OPENED_HITS;
  const exceptions = new Set<string>();
  let row = [0];
  while (row.length > 0 && budget > 0) {
    const below: number[] = [];
    for (const at of row) {
      // A hit without hits below it stays closed.
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

/**
 * Whether a place in an open branch is visible: it contains hits, or its branch is the only hit and shows everything.
 */
function isVisible({ hitsWithin, isHit }: TreeHits, above: number, at: number): boolean {
  if ((hitsWithin[at] ?? 0) > 0) return true;
  return above >= 0 && (hitsWithin[above] ?? 0) === (isHit[above] ?? 0);
}

/** `open` is the filter's own open state while `hits` is not null. */
export function toTreeRows(index: TreeIndex, open: OpenState, hits: TreeHits | null): TreeRows {
  const { keys, parent, size } = index;
  const end = hits?.count === 0 ? 0 : keys.length;
  const places = new Int32Array(end);
  let count = 0;
  /** Everything before this place is visible: it is below a node that the filter names as a whole. */
  let wholeEnd = 0;
  for (let at = 0; at < end;) {
    const subtreeSize = size[at] ?? 1;
    if (hits !== null && at >= wholeEnd && !isVisible(hits, parent[at] ?? -1, at)) {
      at += subtreeSize;
      continue;
    }
    if (hits?.isWhole?.[at] === 1) wholeEnd = Math.max(wholeEnd, at + subtreeSize);
    places[count] = at;
    count += 1;
    at += subtreeSize === 1 || isOpen(open, keys[at] ?? '') ? 1 : subtreeSize;
  }
  return { index, open, places: places.slice(0, count), count };
}

/** The row with this number; undefined: there is none. */
export function rowAt({ index, open, places }: TreeRows, row: number): ViewRow | undefined {
  const at = places[row];
  const id = at === undefined ? undefined : index.keys[at];
  if (at === undefined || id === undefined) return undefined;
  const isLeaf = index.size[at] === 1;
  return { id, at, row, isOpen: !isLeaf && isOpen(open, id), children: isLeaf ? null : NO_ROWS };
}

/** The rows from number `from` up to `to`, without `to`. */
export function sliceRows(rows: TreeRows, from: number, to: number): readonly ViewRow[] {
  const slice: ViewRow[] = [];
  for (let row = from; row < to; row += 1) {
    const view = rowAt(rows, row);
    if (view) slice.push(view);
  }
  return slice;
}

/** The number of the last row whose place is at most `at`; -1: there is none. */
function lastRowUpTo(places: Int32Array, at: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The number of the row with this place; -1: it is hidden. */
export function findRow({ places }: TreeRows, at: number): number {
  const row = lastRowUpTo(places, at);
  return places[row] === at ? row : -1;
}

/** The row of the place, else of its nearest visible ancestor; -1: not even the project is visible. */
export function nearestRow(rows: TreeRows, at: number): number {
  for (let place = at; place >= 0; place = rows.index.parent[place] ?? -1) {
    const row = findRow(rows, place);
    if (row >= 0) return row;
  }
  return -1;
}

/** The row with the key, else of its nearest visible ancestor; -1: the tree has no such node. */
export function rowOfKey(rows: TreeRows, key: string): number {
  return nearestRow(rows, findPlace(rows.index, key));
}

/**
 * Number of the row with the key, else of its nearest visible ancestor (its branch was closed), else the first; -1:
 * there are no rows.
 */
export function findActiveRow(rows: TreeRows, key: string | null): number {
  if (rows.count === 0) return -1;
  return Math.max(0, key === null ? 0 : rowOfKey(rows, key));
}
