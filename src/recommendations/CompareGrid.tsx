import type { CompareTable } from './compareTable';
import { CompareHead } from './CompareHead';
import { ParameterText } from './ParameterText';
import { TableFrame } from './TableFrame';
import type { Compare } from './useCompare';
import { WireName } from './WireName';

interface CompareGridProps {
  table: CompareTable;
  compare: Compare;
}

function toEmptyText({ columns, hiddenCount }: CompareTable): string {
  if (columns.length === 1) return 'One candidate alone has no differences. Tick the box of another one below.';
  const models = new Set(columns.map((candidate) => candidate.base_model_id)).size;
  return `All ${hiddenCount} parameters are equal among these ${columns.length} candidates${models > 1 ? '; only the base models differ' : ''}.`;
}

/** Parameters as rows, candidates as columns. What equals the baseline is grey; what differs is ink with its delta. */
export function CompareGrid({ table, compare }: CompareGridProps) {
  const { columns, rows, baseline, hiddenCount } = table;
  return (
    <TableFrame>
      <table className="w-full border-collapse">
        <caption className="sr-only">Compared candidates: parameters as rows</caption>
        <thead>
          <tr>
            <th scope="col" className="sticky left-0 z-10 w-px min-w-31 bg-surface @2xl:min-w-50">
              <span className="sr-only">Parameter</span>
            </th>
            {columns.map((candidate) => (
              <CompareHead key={candidate.key} candidate={candidate} compare={compare} isBaseline={candidate.key === baseline?.key} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="h-8 border-t border-line">
              <th scope="row" className="sticky left-0 z-10 bg-surface px-3 py-1 text-left font-mono text-sm font-normal text-soft">
                <WireName name={row.name} />
              </th>
              {row.cells.map((cell) => (
                <td
                  key={cell.key}
                  className={`px-2.5 text-right font-mono text-sm ${cell.key === baseline?.key ? 'bg-raised' : ''} ${cell.isSame && cell.key !== baseline?.key ? 'text-soft' : ''}`}
                >
                  <ParameterText name={row.name} kind={row.kind} value={cell.value} />
                  {cell.delta !== null && <span className="ml-1.5 text-xs whitespace-nowrap text-soft">{cell.delta}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="sticky left-0 border-t border-line px-3 py-2 text-soft">{toEmptyText(table)}</p>}
      {rows.length > 0 && hiddenCount > 0 && (
        <p className="sticky left-0 border-t border-line px-3 py-1.5 text-sm text-soft">
          {hiddenCount} equal {hiddenCount === 1 ? 'row is' : 'rows are'} hidden.
        </p>
      )}
    </TableFrame>
  );
}
