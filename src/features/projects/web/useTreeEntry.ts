// Moves from the filter into the tree: to the first hit, once the typed text has been searched; without a filter to the
// active row.
import { useLayoutEffect, useReducer, useRef } from 'react';
import { findRow } from '#features/projects/web/treeIndex/treeRows.ts';
import type { TreeView } from './useTreeView.ts';

interface TreeEntryInput {
  readonly view: TreeView;
  readonly activeKey: string | null;
  /** Activates the row with the key and shows it. */
  readonly onActivate: (key: string) => void;
  readonly onSelect: (at: number) => void;
  /** Moves the keyboard focus to the active row. */
  readonly onFocus: () => void;
}

interface Entry {
  readonly isSelecting: boolean;
  /** The filter when the key was pressed. Further typing cancels the move. */
  readonly filter: string;
  /** The focused element at that time. Moving the focus elsewhere cancels the move, too. */
  readonly from: Element | null;
  /** The first hit is active; its row comes with the next render. */
  readonly isOnTheWay: boolean;
}

export function useTreeEntry({
  view,
  activeKey,
  onActivate,
  onSelect,
  onFocus,
}: TreeEntryInput): (isSelecting: boolean) => void {
  const request = useRef<Entry | null>(null);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const entry = request.current;
    const { index, hits, rows, filter, isSettled } = view;
    if (entry === null || (entry.filter === filter && !isSettled)) return;
    request.current = null;
    if (entry.filter !== filter || entry.from !== document.activeElement) return;
    if (hits !== null) {
      const at = hits.isHit.indexOf(1);
      const key = index.keys[at];
      if (key === undefined) return;
      const isShown = findRow(rows, at) >= 0;
      if (!isShown || activeKey !== key) {
        request.current = { ...entry, isOnTheWay: true };
        if (entry.isOnTheWay) return;
        if (!isShown) view.reveal(at);
        onActivate(key);
        return;
      }
      if (entry.isSelecting) onSelect(at);
    }
    onFocus();
  });
  return (isSelecting) => {
    request.current = { isSelecting, filter: view.filter, from: document.activeElement, isOnTheWay: false };
    renderAgain();
  };
}
