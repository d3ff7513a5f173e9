// Selections on axes in words, also if there are too few axes to draw.
import { NOT_GIVEN, type PlotAxis } from './axes.ts';
import { MISSING, type AxisBrush } from './brush.ts';
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { formatPlotValue } from './ticks.ts';

/**
 * "from 1e-4 to 5e-4", "at least 8", "lora or not given". `isMeasure`: of losses and the like, written as in the
 * tables.
 */
export function toBrushText(
  chosen: AxisBrush,
  isMeasure = false,
  toText: (category: string) => string = (category) => category,
): string {
  if (chosen.kind === 'values')
    return [...new Set(chosen.values.map((value) => (value === MISSING ? NOT_GIVEN : toText(value))))].join(' or ');
  const [from, to] = [chosen.from, chosen.to].map((end) =>
    end === null ? null : isMeasure ? formatMeasure(end) : formatPlotValue(end),
  );
  if (from === null && to === null) return 'any value';
  if (to === null) return `at least ${from}`;
  return from === null ? `at most ${to}` : `from ${from} to ${to}`;
}

/** The selection on a drawn axis. */
export const toSelectionText = (axis: PlotAxis, chosen: AxisBrush): string =>
  axis.kind === 'number' ? toBrushText(chosen, axis.isMeasure) : toBrushText(chosen, false, axis.toText);

/** Why there are no lines. `only`: the single axis, on which rows differ or something is selected (`chosen`). */
export function toFewText(only: PlotAxis | undefined, chosen: AxisBrush | undefined): string {
  if (!only) return 'All rows are equal in every column.';
  const lead =
    new Set(only.values).size > 1
      ? `The rows differ only in ${only.label}. Lines need a second axis.`
      : 'All rows are equal in every column.';
  return chosen ? `${lead} Selected on ${only.label}: ${toSelectionText(only, chosen)}.` : lead;
}
