// The way from the filter into the tree: to the first hit, once what was typed has been searched; without a filter to
// the row that the keyboard is on.
import { useLayoutEffect, useReducer, useRef } from 'react';
import { findRow } from '#web/tree/index/treeRows.ts';
import type { TreeView } from './useTreeView.ts';

interface TreeEntryInput {
  readonly view: TreeView;
  readonly activeKey: string | null;
  /** Makes the row with the key the active one, and shows it. */
  readonly onActivate: (key: string) => void;
  readonly onSelect: (at: number) => void;
  /** Puts the keyboard on the active row. */
  readonly onFocus: () => void;
}

interface Entry {
  readonly isSelecting: boolean;
  /** What was typed when the key was pressed: typing on takes it back. */
  readonly filter: string;
  /** What had the focus then: who goes elsewhere takes it back, too. */
  readonly from: Element | null;
  /** The first hit was made active; its row comes with the next render. */
  readonly isOnTheWay: boolean;
}

export function useTreeEntry({
  view,
  activeKey,
  onActivate,
  onSelect,
  onFocus,
}: TreeEntryInput): (isSelecting: boolean) => void {
  const wanted = useRef<Entry | null>(null);
  const [, ask] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const entry = wanted.current;
    const { index, hits, rows, filter, isSettled } = view;
    if (entry === null || (entry.filter === filter && !isSettled)) return;
    wanted.current = null;
    if (entry.filter !== filter || entry.from !== document.activeElement) return;
    if (hits !== null) {
      const at = hits.isHit.indexOf(1);
      const key = index.keys[at];
      if (key === undefined) return;
      const isShown = findRow(rows, at) >= 0;
      if (!isShown || activeKey !== key) {
        wanted.current = { ...entry, isOnTheWay: true };
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
    wanted.current = { isSelecting, filter: view.filter, from: document.activeElement, isOnTheWay: false };
    ask();
  };
}
