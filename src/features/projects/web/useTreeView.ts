// The state of a visible tree: its open branches, and the filter from the address. openState, treeFilter and treeRows
// are the pure parts; server data and selection are arguments.
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { useTypedText } from '#ui/kit/useTypedText.ts';
import {
  ALL_OPEN,
  closeSubtree,
  collapsedState,
  initialOpenState,
  openSubtree,
  openSiblings,
  revealPlace,
  setOpen,
  type OpenState,
} from '#features/projects/web/treeIndex/openState.ts';
import {
  countStatuses,
  findText,
  parseWords,
  toHits,
  type StatusCount,
  type TreeHits,
} from '#features/projects/web/treeIndex/treeFilter.ts';
import { treeIndex, type TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import {
  filteredOpenState,
  toTreeRows,
  type TreeRows,
  type ViewRow,
} from '#features/projects/web/treeIndex/treeRows.ts';
import { useSearchReady } from './useSearchReady.ts';

export interface TreeView {
  readonly index: TreeIndex;
  readonly rows: TreeRows;
  readonly hits: TreeHits | null;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  /** Chosen statuses; a node needs one of them. */
  readonly statuses: readonly string[];
  readonly statusCounts: readonly StatusCount[];
  /** Chooses all of them, or gives them up if one is chosen. */
  readonly toggleStatuses: (toggled: readonly string[]) => void;
  readonly clearFilter: () => void;
  /** Replaces the text with statuses. */
  readonly filterByStatuses: (chosen: readonly string[]) => void;
  /** Identifies the filter. */
  readonly filterKey: string;
  /** A text was typed before the search was ready. */
  readonly isSearching: boolean;
  /** The visible rows match the filter's text. */
  readonly isSettled: boolean;
  readonly toggle: (row: ViewRow) => void;
  readonly expandSiblings: (row: ViewRow) => void;
  readonly expandBeneath: (at: number) => void;
  readonly collapseBeneath: (at: number) => void;
  readonly expandAll: () => void;
  readonly collapseAll: () => void;
  /** Opens every ancestor of the node. */
  readonly reveal: (at: number) => void;
}

/** While the tree is filtered, branches have a separate open state. */
interface FilterOpen {
  readonly key: string;
  readonly open: OpenState;
}

function useFilter(index: TreeIndex) {
  const { status: statuses } = useUrlState();
  const [filter, setFilter] = useTypedText('q');
  // The field shows a key at once; the results follow in steps that let further keys through.
  const searched = useDeferredValue(filter);
  const words = useMemo(() => parseWords(searched), [searched]);
  const isReady = useSearchReady(index, words.length > 0);
  const isSearching = !isReady && words.length > 0;
  const found = useMemo(() => (isSearching ? null : findText(index, words)), [index, words, isSearching]);
  const hits = useMemo(
    () => (isSearching ? null : toHits(index, words, found, statuses)),
    [index, words, found, statuses, isSearching],
  );
  const statusCounts = useMemo(() => countStatuses(index, found, statuses), [index, found, statuses]);
  const filterKey = hits === null ? '' : JSON.stringify([words, statuses]);
  const toggleStatuses = (toggled: readonly string[]) => {
    const others = statuses.filter((status) => !toggled.includes(status));
    updateUrl({ status: others.length < statuses.length ? others : [...statuses, ...toggled] });
  };
  const clearFilter = () => {
    setFilter('');
    updateUrl({ q: null, status: [] });
  };
  const filterByStatuses = (chosen: readonly string[]) => {
    setFilter('');
    updateUrl({ q: null, status: chosen });
  };
  return {
    filter,
    setFilter,
    filterByStatuses,
    statuses,
    statusCounts,
    hits,
    filterKey,
    isSearching,
    isSettled: searched === filter && !isSearching,
    toggleStatuses,
    clearFilter,
  };
}

export function useTreeView(root: TreeNode): TreeView {
  const index = treeIndex(root);
  const filter = useFilter(index);
  const { hits, filterKey } = filter;
  const [open, changeOpen] = useState(() => initialOpenState(index));
  const [filterOpen, changeFilterOpen] = useState<FilterOpen>({ key: '', open: ALL_OPEN });
  // A new filter starts with its hits in view. A poll keeps the branches that were opened since.
  if (hits !== null && filterOpen.key !== filterKey)
    changeFilterOpen({ key: filterKey, open: filteredOpenState(index, hits) });
  const isFiltered = hits !== null;
  const shownOpen = isFiltered ? filterOpen.open : open;
  const rows = useMemo(() => toTreeRows(index, shownOpen, hits), [index, shownOpen, hits]);

  const change = useCallback(
    (next: (state: OpenState) => OpenState) => {
      if (isFiltered) changeFilterOpen((last) => ({ ...last, open: next(last.open) }));
      else changeOpen(next);
    },
    [isFiltered],
  );
  return {
    index,
    rows,
    ...filter,
    toggle: useCallback((row: ViewRow) => change((state) => setOpen(state, [row.id], !row.isOpen)), [change]),
    expandSiblings: useCallback(
      (row: ViewRow) => change((state) => openSiblings(state, index, row.at)),
      [change, index],
    ),
    expandBeneath: (at) => change((state) => openSubtree(state, index, at)),
    collapseBeneath: (at) => change((state) => closeSubtree(state, index, at)),
    expandAll: () => change(() => ALL_OPEN),
    collapseAll: () => change(() => collapsedState(index)),
    reveal: (at) => {
      changeOpen((state) => revealPlace(state, index, at));
      changeFilterOpen((last) => ({ ...last, open: revealPlace(last.open, index, at) }));
    },
  };
}
