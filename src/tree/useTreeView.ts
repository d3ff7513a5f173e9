// The state of one tree on screen: what is open, the filter, the active row. The pure parts are in
// openState, treeFilter and treeRows; server data and selection come in and are not kept here.
import { useCallback, useMemo, useState } from 'react';
import type { TreeNode } from '../contract/projectReader';
import { collapsedState, initialOpenState, ALL_OPEN, openSiblings, revealPlace, setOpen, type OpenState } from './openState';
import { findHits, type TreeHits } from './treeFilter';
import { treeIndex, type TreeIndex } from './treeIndex';
import { filteredOpenState, toTreeRows, type TreeRows, type ViewRow } from './treeRows';

export interface TreeView {
  readonly index: TreeIndex;
  readonly rows: TreeRows;
  readonly hits: TreeHits | null;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly toggle: (row: ViewRow) => void;
  readonly expandSiblings: (row: ViewRow) => void;
  readonly expandAll: () => void;
  readonly collapseAll: () => void;
  /** Opens all that is above the node. */
  readonly reveal: (at: number) => void;
}

/** While a text filters the tree, branches open and close on their own account. */
interface FilterState {
  readonly text: string;
  readonly open: OpenState;
}

const NO_FILTER: FilterState = { text: '', open: ALL_OPEN };

export function useTreeView(root: TreeNode): TreeView {
  const index = treeIndex(root);
  const [open, changeOpen] = useState(() => initialOpenState(index));
  const [filter, changeFilter] = useState(NO_FILTER);
  const hits = useMemo(() => findHits(index, filter.text), [index, filter.text]);
  const isFiltered = hits !== null;
  const shownOpen = isFiltered ? filter.open : open;
  const rows = useMemo(() => toTreeRows(index, shownOpen, hits), [index, shownOpen, hits]);

  const change = useCallback(
    (next: (state: OpenState) => OpenState) => {
      if (isFiltered) changeFilter((last) => ({ ...last, open: next(last.open) }));
      else changeOpen(next);
    },
    [isFiltered],
  );
  const setFilter = useCallback(
    (text: string) => {
      const found = findHits(index, text);
      changeFilter({ text, open: found ? filteredOpenState(index, found) : ALL_OPEN });
    },
    [index],
  );
  const toggle = useCallback((row: ViewRow) => change((state) => setOpen(state, [row.id], !row.isOpen)), [change]);
  const expandSiblings = useCallback((row: ViewRow) => change((state) => openSiblings(state, index, row.at)), [change, index]);
  const expandAll = useCallback(() => change(() => ALL_OPEN), [change]);
  const collapseAll = useCallback(() => change(() => collapsedState(index)), [change, index]);
  const reveal = (at: number) => changeOpen((state) => revealPlace(state, index, at));
  return { index, rows, hits, filter: filter.text, setFilter, toggle, expandSiblings, expandAll, collapseAll, reveal };
}
