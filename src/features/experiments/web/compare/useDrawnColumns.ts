// Which columns are near the view of a box that scrolls sideways, so hundreds cost no more than a few.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, type RefObject } from 'react';

interface DrawnColumns {
  readonly count: number;
  readonly column: number;
  /** Width before the first column; its content covers columns while it is fixed. */
  readonly before: number;
  /** Always rendered, because it holds the focus; null: none. */
  readonly kept: number | null;
}

/** The indices to render, ascending. */
export function useDrawnColumns(
  box: RefObject<HTMLElement | null>,
  { count, column, before, kept }: DrawnColumns,
): readonly number[] {
  const virtualizer = useVirtualizer({
    horizontal: true,
    count,
    getScrollElement: () => box.current,
    estimateSize: useCallback(() => column, [column]),
    paddingStart: before,
    overscan: 2,
    rangeExtractor: (range) => {
      const indices = defaultRangeExtractor(range);
      return kept === null || kept >= count || indices.includes(kept)
        ? indices
        : [...indices, kept].toSorted((a, b) => a - b);
    },
  });
  return virtualizer.getVirtualItems().map(({ index }) => index);
}
