import { useMemo } from 'react';
import type { PlotAxis, PlotRow } from '#ui/plots/scales/axes.ts';
import type { Brush } from '#ui/plots/scales/brush.ts';
import type { Coloring } from './coloring.ts';
import { toPlotSummary } from './plotSummary.ts';

interface SummaryTableProps {
  rows: readonly PlotRow[];
  axes: readonly PlotAxis[];
  brush: Brush;
  /** Number of rows inside the brush. */
  shown: number;
  coloring: Coloring | null;
}

/** The plot as a table for screen readers, not shown. */
export function SummaryTable({ rows, axes, brush, shown, coloring }: SummaryTableProps) {
  const summary = useMemo(
    () => toPlotSummary(rows, axes, brush, shown, coloring),
    [rows, axes, brush, shown, coloring],
  );
  return (
    // A table can't shrink to one pixel, but its box can; otherwise the page would scroll sideways.
    <div className="sr-only">
      <table>
        <caption>{summary.caption}</caption>
        <thead>
          <tr>
            <th scope="col">name</th>
            {summary.axes.map((axis) => (
              <th key={axis.id} scope="col">
                {axis.label}: {axis.text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summary.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {row.values.map((value, index) => (
                <td key={summary.axes[index]?.id}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
