import { toStateWord } from '#core/contract/statuses.ts';
import type { CompareTable } from './comparison.ts';
import { toCandidateTitle } from '#features/experiments/shared/trainingWords.ts';
import { WireName } from '#ui/kit/WireName.tsx';
import type { ColumnNames } from './columnNames.ts';
import { CompareCell } from './CompareCell.tsx';
import type { CompareColumn, ReadyColumn } from './compareColumns.ts';
import { CompareSwatch } from './CompareSwatch.tsx';

interface ComparePrintProps {
  /** The baseline first. */
  columns: readonly CompareColumn[];
  naming: Pick<ColumnNames, 'origins' | 'traits'>;
  table: CompareTable;
  /** Refs outside the brush. */
  faded: ReadonlySet<string>;
}

/** Columns that fit on a page beside the baseline. */
const ACROSS = 3;

/** The table for paper, in pieces that fit on a page; each piece repeats the baseline. */
export function ComparePrint({ columns, naming, table, faded }: ComparePrintProps) {
  const [baseline, ...others] = columns.filter((column): column is ReadyColumn => column.kind === 'ready');
  const missingCount = columns.length - others.length - 1;
  if (!baseline) return null;
  const { origins, traits } = naming;
  const places = new Map(table.columns.map((candidate, index) => [candidate.key, index]));
  const pieces = Array.from({ length: Math.max(1, Math.ceil(others.length / ACROSS)) }, (_, piece) => [
    baseline,
    ...others.slice(piece * ACROSS, (piece + 1) * ACROSS),
  ]);
  const tables = pieces.map((piece) => (
    <table
      key={piece.map(({ ref }) => ref).join(' ')}
      className="w-full table-fixed border-collapse border-t border-line"
    >
      <thead>
        <tr className="text-left align-top [&>th]:px-2 [&>th]:py-1">
          <th scope="col">Parameter</th>
          {piece.map(({ ref, series, candidate }) => (
            <th key={ref} scope="col">
              <span className="flex items-start gap-1.5">
                <CompareSwatch series={series} isFaded={faded.has(ref)} />
                <span className="min-w-0">{toCandidateTitle(candidate)}</span>
              </span>
              <span className="block text-sm font-normal">
                {origins.get(ref)}
                {traits.has(ref) && ` · ${traits.get(ref)}`}
                {ref === baseline.ref && ' · baseline'}
                {candidate.status !== null && ` · ${toStateWord(candidate.status, candidate.status_cause)}`}
                {faded.has(ref) && ' · outside the selection'}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ parameter, cells }) => (
          <tr key={parameter.id} className="border-t border-line [&>*]:px-2 [&>*]:py-0.5">
            <th scope="row" className="text-left text-sm font-normal">
              <WireName name={parameter.label} />
            </th>
            {piece.map((column) => (
              <td key={column.ref} className="text-right font-mono text-sm">
                <CompareCell
                  parameter={parameter}
                  cell={cells[places.get(column.ref) ?? -1]}
                  column={column}
                  isBaseline={column === baseline}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  ));
  return (
    <>
      {tables}
      {missingCount > 0 && (
        <p className="border-t border-line px-3 py-1.5 text-sm">
          {missingCount} more could not be found and have no column.
        </p>
      )}
    </>
  );
}
