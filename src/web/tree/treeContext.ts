// What every row needs to know. The row components are fixed for the life of the tree
// (react-arborist rebuilds everything when one changes), so this comes to them by context.
import { createContext, useContext } from 'react';
import type { Touched } from '#web/tree/activity/activityStore.ts';
import type { TreeHits } from '#web/tree/index/treeFilter.ts';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';

export interface TreeContextValue {
  readonly index: TreeIndex;
  readonly hits: TreeHits | null;
  readonly selectedId: string | null;
  /** What changed with the last answer; null soon after. */
  readonly touched: Touched | null;
  /** Width of the panel in pixels: narrow panels drop words before they break lines. */
  readonly width: number;
}

export const TreeContext = createContext<TreeContextValue | null>(null);

/** Number of the row that the keyboard is on. By itself, as it changes with each key and only rows ask for it. */
export const ActiveRowContext = createContext(-1);

/** The tree around a row. */
export function useTreeContext(): TreeContextValue {
  const value = useContext(TreeContext);
  if (!value) throw new Error('A tree row was rendered outside of a tree.');
  return value;
}
