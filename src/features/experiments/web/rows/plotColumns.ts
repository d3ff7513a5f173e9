// The columns of the table as axes of its plots, in plot order, and as colours. Pure.
import { toStateWord } from '#core/contract/statuses.ts';
import type { PlotColumn, PlotRow } from '#ui/plots/scales/axes.ts';
import { toAxisKind, type ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface ExperimentPlotRow extends PlotRow {
  readonly row: ExperimentRow;
}

/** A brush holds the status itself. */
const toCategoryText = ({ kind }: ExperimentColumn) =>
  kind === 'status' ? (status: string) => toStateWord(status) : undefined;

const toPlotColumn = (column: ExperimentColumn): PlotColumn<ExperimentPlotRow> => ({
  id: column.id,
  // An axis has plain numbers.
  label: column.kind === 'duration' ? `${column.label} (s)` : column.label,
  kind: toAxisKind(column),
  read: ({ row }) => column.read(row),
  toText: toCategoryText(column),
});

/** Columns for the filter chips, which write numbers with as many digits as the axes do. */
export const toChipColumns = (columns: readonly ExperimentColumn[]) =>
  columns.map((column) => ({
    id: column.id,
    label: column.label,
    isMeasure: toAxisKind(column) === 'number',
    toText: toCategoryText(column),
  }));

/** The columns that have an axis, in the order of the plot. */
export function toPlotColumns(columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] {
  return (['first', 'middle', 'last'] as const)
    .flatMap((place) => columns.filter(({ axis }) => axis === place))
    .map(toPlotColumn);
}

/** Categories can give colours, even those without an axis. */
export const toColorColumns = (columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] =>
  columns
    .filter(({ kind }) => kind === 'category')
    .map((column) => ({ id: column.id, label: column.label, kind: 'category', read: ({ row }) => column.read(row) }));

/** Whether rows differ in at least two columns; otherwise there is nothing to plot. */
export function hasTwoAxes(
  columns: readonly PlotColumn<ExperimentPlotRow>[],
  rows: readonly ExperimentPlotRow[],
): boolean {
  let found = 0;
  for (const { read } of columns) {
    const [first] = rows;
    if (first !== undefined && rows.some((row) => read(row) !== read(first))) found += 1;
    if (found === 2) return true;
  }
  return false;
}
