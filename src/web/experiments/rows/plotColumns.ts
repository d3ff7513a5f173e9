// Which columns of the table are axes of its plots, in which order, and which can colour. Pure.
import type { ColumnKind, PlotColumn, PlotRow } from '#web/plots/scales/axes.ts';
import { HELD_OUT } from '#shared/training/heldOut.ts';
import { isNumberColumn, type ExperimentColumn } from './columns.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface ExperimentPlotRow extends PlotRow {
  readonly row: ExperimentRow;
}

const FIRST_MEASURES = 2;
/** Lines run from what was asked of a run to what came of it. */
const FIRST = ['status', 'training_type', 'learning_rate_multiplier', 'n_epochs', 'batch_size'];
const CATEGORIES: ReadonlySet<string> = new Set([...FIRST, 'base_model_id']);
/** Told of a measure, not of a run. */
const NO_AXIS: ReadonlySet<string> = new Set(['held_out_rows']);

function toKind(column: ExperimentColumn): ColumnKind {
  if (column.kind === 'rate' || column.kind === 'count') return column.kind;
  return isNumberColumn(column) ? 'number' : 'category';
}

const toPlotColumn = (column: ExperimentColumn): PlotColumn<ExperimentPlotRow> => ({
  id: column.id,
  label: column.label,
  kind: toKind(column),
  read: ({ row }) => column.read(row),
});

/** Columns as the filters on them are named: with as many digits as on their axes. */
export const toChipColumns = (columns: readonly ExperimentColumn[]) =>
  columns.map((column) => ({ id: column.id, label: column.label, isMeasure: toKind(column) === 'number' }));

/** Axes for what was asked of a run and what came of it; names and ids would be one line each. */
export function toPlotColumns(columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] {
  const axes = columns.filter(
    (column) => (isNumberColumn(column) || CATEGORIES.has(column.id)) && !NO_AXIS.has(column.id),
  );
  const first = FIRST.flatMap((id) => axes.find((column) => column.id === id) ?? []);
  // Where axes are very many the last ones are folded away: those are measures, and not what every run has.
  const last = axes.filter(({ id }) => id.startsWith(HELD_OUT)).slice(FIRST_MEASURES);
  return [...first, ...axes.filter((column) => !first.includes(column) && !last.includes(column)), ...last].map(
    toPlotColumn,
  );
}

/** Where an experiment stands: too many to be an axis, but a few colours. */
export const toColorColumns = (columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] =>
  columns
    .filter(({ kind }) => kind === 'category')
    .map((column) => ({ id: column.id, label: column.label, kind: 'category', read: ({ row }) => column.read(row) }));

/** Whether rows differ in two columns or more: fewer are no plot. */
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
