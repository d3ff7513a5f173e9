// The view of the open grid, with its columns by their indexes.
import { useMemo } from 'react';
import { findFilter, type RowFilter } from '#features/evaluation/web/grid/rowFilter.ts';
import { useGrid } from './gridStore.ts';

export interface ShownView {
  readonly filter: RowFilter;
  readonly query: string;
  /** Index of the reference column. */
  readonly reference: number;
  /** Names of the columns, in order. */
  readonly names: readonly string[];
}

export function useGridView(): ShownView {
  const { columns } = useGrid((state) => state.setup);
  const { filter: key, query, referenceId } = useGrid((state) => state.view);
  return useMemo(
    () => ({
      filter: findFilter(key, columns),
      query,
      reference: Math.max(
        0,
        columns.findIndex(({ id }) => id === referenceId),
      ),
      names: columns.map(({ name, label }) => name ?? label),
    }),
    [columns, key, query, referenceId],
  );
}
