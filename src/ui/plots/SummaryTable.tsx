import type { PlotSummary } from './plotSummary.ts';

interface SummaryTableProps {
  summary: PlotSummary;
}

/** The plot as a table for screen readers, not shown. */
export function SummaryTable({ summary }: SummaryTableProps) {
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
