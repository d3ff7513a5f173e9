// A plot in words, for screen readers. Pure.
import { formatCounted } from '#ui/kit/format.ts';
import { NOT_GIVEN, toAxisText, type PlotAxis, type PlotRow } from '#ui/plots/scales/axes.ts';
import type { Brush } from '#ui/plots/scales/brush.ts';
import { toSelectionText } from '#ui/plots/scales/brushText.ts';
import { toColoringText, type Coloring } from './coloring.ts';

export interface PlotSummary {
  readonly caption: string;
  readonly axes: readonly { readonly id: string; readonly label: string; readonly text: string }[];
  /** Each row's values, in the order of the axes; empty if there are too many rows to read out. */
  readonly rows: readonly { readonly key: string; readonly label: string; readonly values: readonly string[] }[];
}

const MOST_ROWS = 20;
const MOST_CATEGORIES = 8;

function toExtentText(axis: PlotAxis): string {
  const missing = axis.hasMissing ? `, ${axis.values.filter((value) => value === null).length} ${NOT_GIVEN}` : '';
  if (axis.kind === 'number')
    return `from ${toAxisText(axis, axis.min)} to ${toAxisText(axis, axis.max)}, ${axis.scale}${missing}`;
  const { categories } = axis;
  const more = categories.length > MOST_CATEGORIES ? ` and ${categories.length - MOST_CATEGORIES} more` : '';
  return `${categories.slice(0, MOST_CATEGORIES).map(axis.toText).join(', ')}${more}${missing}`;
}

/** The axes that describe a row: the axis of the colours first, because the plot shows the others. */
export function toDescribedAxes(drawn: readonly PlotAxis[], coloring: Coloring | null): readonly PlotAxis[] {
  return coloring === null ? drawn : [coloring.axis, ...drawn.filter(({ id }) => id !== coloring.axis.id)];
}

/** `shown` is how many rows are inside the brush. */
export function toPlotSummary(
  rows: readonly PlotRow[],
  drawn: readonly PlotAxis[],
  brush: Brush,
  shown: number,
  coloring: Coloring | null,
): PlotSummary {
  const axes = toDescribedAxes(drawn, coloring);
  const inside = shown === rows.length ? '' : `, ${shown} of them inside the selection`;
  return {
    caption: `${formatCounted(rows.length, 'row')}${inside}${coloring ? `; ${toColoringText(coloring)}` : ''}`,
    axes: axes.map((axis) => {
      const chosen = brush.get(axis.id);
      return {
        id: axis.id,
        label: axis.label,
        text: `${toExtentText(axis)}${chosen ? `; selected: ${toSelectionText(axis, chosen)}` : ''}`,
      };
    }),
    rows:
      rows.length > MOST_ROWS
        ? []
        : rows.map(({ key, label }, index) => {
            return { key, label, values: axes.map((axis) => toAxisText(axis, axis.values[index] ?? null)) };
          }),
  };
}
