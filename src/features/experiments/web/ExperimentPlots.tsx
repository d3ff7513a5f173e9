import { useMemo, type ReactNode } from 'react';
import type { Brush } from '#ui/plots/scales/brush.ts';
import { RowsPlot } from '#features/experiments/web/compareState/RowsPlot.tsx';
import type { PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { changeCompared } from './changeCompared.ts';
import { ExperimentLosses } from './ExperimentLosses.tsx';
import { toPlotNames, type ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import {
  hasTwoAxes,
  toColorColumns,
  toPlotColumns,
  type ExperimentPlotRow,
} from '#features/experiments/web/rows/plotColumns.ts';
import { filterByBrush } from '#features/experiments/web/rows/rowFilter.ts';
import type { ExperimentTableState } from './useExperimentTable.ts';

interface ExperimentPlotsProps {
  choice: PlotChoice;
  table: ExperimentTableState;
  series: ReadonlyMap<string, number>;
  hoveredKey: string | null;
  onHover: (key: string | null) => void;
  /** See ExperimentsPanel. */
  renderLosses: ((ids: readonly string[]) => ReactNode) | null;
}

const NO_IDS: ReadonlySet<string> = new Set();
const UNREAD_NOTE = 'px-2 py-1 text-soft';

/** Ids of the rows that a filter on a column without an axis excludes. */
function toOffAxis(
  rows: readonly ExperimentRow[],
  brush: Brush,
  columns: readonly ExperimentColumn[],
  axes: readonly { readonly id: string }[],
): ReadonlySet<string> {
  const others = new Map([...brush].filter(([id]) => !axes.some((axis) => axis.id === id)));
  if (others.size === 0) return NO_IDS;
  const inside = new Set(filterByBrush(rows, others, columns));
  return new Set(rows.flatMap((row) => (inside.has(row) ? [] : [row.id])));
}

/** The experiments as lines, points or loss curves. The brush is the table's filter. */
export function ExperimentPlots({ choice, table, series, hoveredKey, onHover, renderLosses }: ExperimentPlotsProps) {
  // The brush only fades rows that match the text filter.
  const { found: rows, columns, brush, filled, isDeferred: isUnread } = table;
  // While jobs are unread, a job's column without values is no axis.
  const plotColumns = useMemo(
    () => toPlotColumns(columns.filter(({ id, source }) => !isUnread || source !== 'job' || filled.has(id))),
    [columns, isUnread, filled],
  );
  const colorColumns = useMemo(() => toColorColumns(columns), [columns]);
  const names = useMemo(() => toPlotNames(rows), [rows]);
  // Such rows are faded like rows outside a brush.
  const offAxis = useMemo(() => toOffAxis(rows, brush, columns, plotColumns), [rows, brush, columns, plotColumns]);
  const plotRows = useMemo(
    () =>
      rows.map((row): ExperimentPlotRow => ({
        key: row.id,
        label: names.get(row.id) ?? row.label,
        series: series.get(row.id) ?? null,
        isFaded: offAxis.has(row.id),
        row,
      })),
    [rows, names, series, offAxis],
  );
  const inside = useMemo(
    () => new Set(choice.kind === 'loss' ? filterByBrush(rows, brush, columns) : []),
    [choice.kind, rows, brush, columns],
  );
  if (choice.kind === 'none') return null;
  if (choice.kind === 'loss' && renderLosses)
    return renderLosses(rows.flatMap((row) => (inside.has(row) ? [row.id] : [])));
  if (choice.kind === 'loss' && isUnread && rows.every(({ losses }) => losses.length === 0))
    return <p className={UNREAD_NOTE}>Losses are not loaded yet.</p>;
  if (choice.kind === 'loss')
    return <ExperimentLosses rows={rows} inside={inside} series={series} hoveredKey={hoveredKey} onHover={onHover} />;
  if (isUnread && !hasTwoAxes(plotColumns, plotRows))
    return <p className={UNREAD_NOTE}>Hyperparameters are not loaded yet.</p>;
  return (
    <>
      <RowsPlot
        {...{ choice, hoveredKey, onHover }}
        label={choice.kind === 'parallel' ? 'Runs as lines' : 'Runs as points'}
        rows={plotRows}
        columns={plotColumns}
        colors={{ plain: 'Selected runs', more: colorColumns }}
        onSelect={(id) => changeCompared([id], !series.has(id))}
      />
      {isUnread && <p className="px-2 pt-1 text-xs text-soft">Hyperparameters are not loaded yet.</p>}
    </>
  );
}
