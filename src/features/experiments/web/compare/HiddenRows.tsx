import type { HiddenRow } from './comparison.ts';
import { NotGiven } from '#ui/kit/NotGiven.tsx';
import { toCellText } from './cellText.ts';

interface HiddenRowsProps {
  hidden: readonly HiddenRow[];
  /** Candidates that are shown. */
  count: number;
  onShow: () => void;
}

/** Further rows are only counted: nobody reads so many in a line. */
const MOST = 12;

function HiddenValue({ row: { parameter, value } }: { row: HiddenRow }) {
  return value === null ? <NotGiven /> : toCellText(parameter, value).text;
}

/** The rows that are hidden because all candidates have the same value, with that value. */
export function HiddenRows({ hidden, count, onShow }: HiddenRowsProps) {
  if (hidden.length === 0) return null;
  const lead =
    count === 1
      ? 'Only one candidate, so there are no differences'
      : `${hidden.length} equal ${hidden.length === 1 ? 'row' : 'rows'} hidden`;
  return (
    <p className="border-t border-line px-3 py-1.5 text-sm text-soft">
      {lead}:{' '}
      {hidden.slice(0, MOST).map((row, index) => (
        <span key={row.parameter.id}>
          {index > 0 && ' · '}
          <span className="font-mono">{row.parameter.name}</span>{' '}
          <span className="text-ink">
            <HiddenValue row={row} />
          </span>
          {row.isOfRuns && ' for runs'}
        </span>
      ))}
      {hidden.length > MOST && ` and ${hidden.length - MOST} more`}{' '}
      <button
        type="button"
        onClick={onShow}
        className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
      >
        Show all rows
      </button>
    </p>
  );
}
