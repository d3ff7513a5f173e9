import type { FieldScores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { formatCount } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';

interface ConfusionTableProps {
  name: string;
  confusion: NonNullable<FieldScores['fields'][number]['confusion']>;
}

/** Expected values down, answered ones across. Right ones are bold. */
export function ConfusionTable({ name, confusion: { values, counts } }: ConfusionTableProps) {
  return (
    <SimpleTable
      caption={`What ${name} was taken for`}
      className="border-t border-line px-3 py-2"
      heads={[`${name}: expected, then answered`, ...values, 'another value', 'none']}
    >
      {values.map((value, line) => (
        <tr key={value}>
          <th scope="row" className="max-w-56 truncate py-1 pr-4 font-mono text-sm font-normal" title={value}>
            {value}
          </th>
          {counts[line]?.map((count, at) => (
            <td
              key={`${values[at] ?? ''} ${String(at)}`}
              className={`py-1 pr-4 tabular-nums ${at === line ? 'font-semibold' : count > 0 ? 'text-error' : 'text-faint'}`}
            >
              {formatCount(count)}
            </td>
          ))}
        </tr>
      ))}
    </SimpleTable>
  );
}
