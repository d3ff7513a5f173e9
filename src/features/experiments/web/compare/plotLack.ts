// Why the compare has no plot. Pure.
import { LEAST_DRAWN, type PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import type { CompareColumn } from './compareColumns.ts';

/** null if there is a plot, if none is wanted, and while columns are loading. */
export function findPlotLack(columns: readonly CompareColumn[], kind: PlotChoice['kind']): string | null {
  const ready = columns.filter((column) => column.kind === 'ready').length;
  if (ready >= LEAST_DRAWN[kind] || columns.some((column) => column.kind === 'loading')) return null;
  const missing = columns.length - ready;
  const missingText = missing === 0 ? '' : `; ${missing} of ${columns.length} could not be found or read`;
  return (
    `No plot: ${ready === 1 ? 'one candidate' : 'no candidate'} to compare${missingText}. A plot needs ` +
    `${kind === 'loss' ? 'one' : 'two or more'}.`
  );
}
