import { useMemo } from 'react';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import type { PlotRow } from '#ui/plots/scales/axes.ts';

/** The place of the hovered row; -1: none is. Paper has nothing to point with. */
export function useHoveredRow(rows: readonly PlotRow[], hoveredKey: string | null): number {
  const isPrinting = usePrinting();
  return useMemo(
    () => (hoveredKey === null || isPrinting ? -1 : rows.findIndex((row) => row.key === hoveredKey)),
    [rows, hoveredKey, isPrinting],
  );
}
