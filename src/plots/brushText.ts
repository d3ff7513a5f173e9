// What is selected on an axis, in words. It must not know where they stand.
import { NOT_GIVEN, type PlotAxis } from './axes';
import { MISSING, type AxisBrush } from './brush';
import { formatMeasure, formatPlotValue } from './ticks';

/** "from 1e-4 to 5e-4", "at least 8", "lora or not given". `isMeasure`: of losses and the like, written as in the tables. */
export function toBrushText(chosen: AxisBrush, isMeasure = false): string {
  if (chosen.kind === 'values') return chosen.values.map((value) => (value === MISSING ? NOT_GIVEN : value)).join(' or ');
  const [from, to] = [chosen.from, chosen.to].map((end) => (end === null ? null : isMeasure ? formatMeasure(end) : formatPlotValue(end)));
  if (from === null && to === null) return 'any that is given';
  if (to === null) return `at least ${from}`;
  return from === null ? `at most ${to}` : `from ${from} to ${to}`;
}

/** What is selected on an axis that is drawn. */
export const toSelectionText = (axis: PlotAxis, chosen: AxisBrush): string => toBrushText(chosen, axis.kind === 'number' && axis.isMeasure);
