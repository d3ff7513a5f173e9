import { useMemo } from 'react';
import type { PlotColumn, PlotRow } from '../plots/axes';
import type { Brush } from '../plots/brush';
import { ParallelCoordinates } from '../plots/ParallelCoordinates';
import { ScatterPlot } from '../plots/ScatterPlot';
import { chooseAxes, chooseColor, switchScale } from '../session/changePlot';
import type { PlotChoice } from '../session/plotChoice';
import { HELD_OUT, isNumberColumn, type ExperimentColumn } from './columns';
import { ExperimentLosses } from './ExperimentLosses';
import { toPlotNames, type ExperimentRow } from './experimentRows';

interface ExperimentPlotsProps {
  choice: PlotChoice;
  /** Columns in which a row has a value; those of a job that has none are no axes while jobs are unread. */
  filled: ReadonlySet<string>;
  isUnread: boolean;
  /** What the text filter leaves; the brush only pales. */
  rows: readonly ExperimentRow[];
  columns: readonly ExperimentColumn[];
  brush: Brush;
  onBrush: (next: Brush) => void;
  log: readonly string[];
  /** The column that colours; null: the compared ones have their colours. */
  color: string | null;
  series: ReadonlyMap<string, number>;
  hoveredKey: string | null;
  onHover: (key: string | null) => void;
  onToggle: (id: string) => void;
}

interface ExperimentPlotRow extends PlotRow {
  readonly row: ExperimentRow;
}

const FIRST_MEASURES = 2;

/** Axes for what was asked of a run and what came of it; names and ids would be one line each. */
function toPlotColumns(columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] {
  const isAxis = (column: ExperimentColumn): boolean => isNumberColumn(column) || ['status', 'base_model_id', 'training_type'].includes(column.id);
  // Where axes are very many the last ones are folded away: those are measures, and not what every run has.
  const measures = columns.filter(({ id }) => id.startsWith(HELD_OUT)).slice(FIRST_MEASURES);
  return [...columns.filter((column) => isAxis(column) && !measures.includes(column)), ...measures].map((column) => ({
    id: column.id,
    label: column.label,
    kind: column.kind === 'rate' || column.kind === 'count' ? column.kind : isNumberColumn(column) ? 'number' : 'category',
    read: ({ row }) => column.read(row),
  }));
}

/** Where an experiment stands: too many to be an axis, but a few colours. */
const toColorColumns = (columns: readonly ExperimentColumn[]): readonly PlotColumn<ExperimentPlotRow>[] =>
  columns.filter(({ kind }) => kind === 'category').map((column) => ({ id: column.id, label: column.label, kind: 'category', read: ({ row }) => column.read(row) }));

const USUAL_X = 'learning_rate_multiplier';
const USUAL_Y = 'last_loss';

/** The experiments as lines, points or loss curves. The brush is the table's filter. */
export function ExperimentPlots({ choice, filled, isUnread, rows, columns, brush, onBrush, log, color, series, hoveredKey, onHover, onToggle }: ExperimentPlotsProps) {
  const plotColumns = useMemo(() => toPlotColumns(columns.filter(({ id, isFromJob }) => !isUnread || !isFromJob || filled.has(id))), [columns, isUnread, filled]);
  const colorColumns = useMemo(() => toColorColumns(columns), [columns]);
  const names = useMemo(() => toPlotNames(rows), [rows]);
  const plotRows = useMemo(
    () => rows.map((row): ExperimentPlotRow => ({ key: row.id, label: names.get(row.id) ?? row.label, series: series.get(row.id) ?? null, row })),
    [rows, names, series],
  );
  if (choice.kind === 'none') return null;
  if (choice.kind === 'loss' && isUnread && rows.every(({ losses }) => losses.length === 0)) return <p className="py-4 text-center text-soft">losses not read yet</p>;
  if (choice.kind === 'loss') return <ExperimentLosses rows={rows} series={series} hoveredKey={hoveredKey} onHover={onHover} />;
  const shared = { rows: plotRows, columns: plotColumns, brush, onBrush, log, onLogToggle: switchScale, hoveredKey, onHover, onSelect: onToggle, colors: { by: color, onBy: chooseColor, plain: 'Compared', more: colorColumns } };
  return (
    <>
      {choice.kind === 'parallel' ? (
        <ParallelCoordinates label="Experiments as lines" {...shared} />
      ) : (
        <ScatterPlot label="Experiments as points" x={choice.x ?? USUAL_X} y={choice.y ?? USUAL_Y} onAxes={chooseAxes} {...shared} />
      )}
      {isUnread && <p className="px-2 pt-1 text-xs text-soft">hyperparameters not read yet</p>}
    </>
  );
}
