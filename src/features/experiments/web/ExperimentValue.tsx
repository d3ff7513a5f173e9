import { NotGiven } from '#ui/kit/NotGiven.tsx';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { toMissingWord, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toValueText } from '#features/experiments/web/rows/valueText.ts';

interface ExperimentValueProps {
  column: ExperimentColumn;
  row: ExperimentRow;
}

/** One value of an experiment. A missing one says why; a shortened number has all digits in its title. */
export function ExperimentValue({ column, row }: ExperimentValueProps) {
  const value = column.read(row);
  if (value === null) {
    if (column.source === 'job' && row.isPending) {
      return (
        <span className="inline-block h-2.5 w-10 animate-breathe rounded bg-neutral-soft align-middle">
          <span className="sr-only">loading</span>
        </span>
      );
    }
    const word = toMissingWord(column, row);
    return word === null ? <NotGiven /> : <span className="font-sans text-faint">{word}</span>;
  }
  if (column.kind === 'status') return <StatusBadge status={String(value)} cause={row.status_cause} />;
  const { text, whole } = toValueText(column.kind, value);
  return <span title={whole ?? (typeof value === 'string' ? value : undefined)}>{text}</span>;
}
