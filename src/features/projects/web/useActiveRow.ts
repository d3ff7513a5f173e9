// The row with the keyboard focus: keys and clicks move it, and so does a selection from elsewhere.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { findPlace } from '#features/projects/web/treeIndex/treePlaces.ts';
import { findActiveRow, findRow } from '#features/projects/web/treeIndex/treeRows.ts';
import type { TreeListHandle } from './treeListHandle.ts';
import type { TreeView } from './useTreeView.ts';

export interface ActiveRow {
  /** Number of the row; -1 without rows. */
  readonly active: number;
  readonly activeKey: string | null;
  /** Activates the row with the key, and scrolls it into view. */
  readonly activate: (key: string) => void;
}

export function useActiveRow(
  { index, rows, reveal }: TreeView,
  selectedId: string | null,
  list: RefObject<TreeListHandle | null>,
): ActiveRow {
  const [activeKey, setActiveKey] = useState(selectedId);
  const scrollTarget = useRef<string | null>(null);

  // A selection from elsewhere (link, breadcrumb, Back) is scrolled into view once, when the tree contains it.
  const selectedAt = selectedId === null ? undefined : index.placeOf.get(selectedId);
  const [revealedId, setRevealedId] = useState<string | null>(null);
  if (selectedAt !== undefined && revealedId !== selectedId) {
    setRevealedId(selectedId);
    setActiveKey(selectedId);
    reveal(selectedAt);
  }
  useLayoutEffect(() => {
    scrollTarget.current = revealedId;
  }, [revealedId]);

  useLayoutEffect(() => {
    const key = scrollTarget.current;
    if (key === null || !list.current) return;
    const row = findRow(rows, findPlace(index, key));
    if (row < 0) return;
    scrollTarget.current = null;
    list.current.showRow(row);
  });

  return {
    active: findActiveRow(rows, activeKey),
    activeKey,
    activate(key) {
      scrollTarget.current = key;
      setActiveKey(key);
    },
  };
}
