// The data that every row needs. It comes by context, because the row components must never change: react-arborist
// rebuilds everything when one does.
import { createContext, useContext } from 'react';
import type { Touched } from '#features/projects/web/treeChanges/activityStore.ts';
import type { TreeHits } from '#features/projects/web/treeIndex/treeFilter.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

export interface TreeContextValue {
  readonly index: TreeIndex;
  readonly hits: TreeHits | null;
  readonly selectedId: string | null;
  /** Changes of the last answer; null soon after. */
  readonly touched: Touched | null;
  /** Width of the panel in pixels: narrow panels hide texts before they break lines. */
  readonly width: number;
}

export const TreeContext = createContext<TreeContextValue | null>(null);

/**
 * Number of the row with the keyboard focus. A context of its own, because it changes with each key and only rows use
 * it.
 */
export const ActiveRowContext = createContext(-1);

/** The context of the tree around a row. */
export function useTreeContext(): TreeContextValue {
  const value = useContext(TreeContext);
  if (!value) throw new Error('A tree row was rendered outside of a tree.');
  return value;
}
