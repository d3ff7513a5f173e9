import { Search } from 'lucide-react';
import { formatCount } from '#web/ui/format.ts';
import { Select } from '#web/ui/fields/Select.tsx';
import type { RowFilter } from '#web/grid/cells/gridTally.ts';

interface GridFiltersProps {
  value: RowFilter;
  onChange: (value: RowFilter) => void;
  counts: Readonly<Record<RowFilter, number>>;
  hasChecks: boolean;
  query: string;
  onQuery: (query: string) => void;
  /** Names of the columns, in order. */
  columns: readonly string[];
  /** Index of the reference column. */
  reference: number;
  onReference: (column: number) => void;
}

const LABELS: Readonly<Record<RowFilter, string>> = {
  all: 'All',
  differ: 'Differing',
  'not-passed': 'Not passed',
  'not-checked': 'Not checked',
  failed: 'No answer',
};
const NAMES = ['all', 'differ', 'not-passed', 'not-checked', 'failed'] as const;

/** Filters for rows, each with its count, and the choice of the reference column. */
export function GridFilters({
  value,
  onChange,
  counts,
  hasChecks,
  query,
  onQuery,
  columns,
  reference,
  onReference,
}: GridFiltersProps) {
  const isShown = (name: RowFilter): boolean => {
    if (name === 'not-passed') return hasChecks;
    // An active filter stays visible when its count drops to 0, so that a person can turn it off there.
    return name !== 'not-checked' || (hasChecks && (counts[name] > 0 || value === name));
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-3 py-1.5">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">Rows on show</legend>
        <span aria-hidden className="mr-0.5 text-sm text-soft">
          Rows
        </span>
        {NAMES.filter(isShown).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={value === name}
            onClick={() => onChange(name)}
            className={
              'h-6 rounded-full border px-2 text-sm ' +
              `${value === name ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-line2 text-soft hover:bg-raised hover:text-ink'}`
            }
          >
            {LABELS[name]} {formatCount(counts[name])}
          </button>
        ))}
      </fieldset>
      {hasChecks && columns.length > 1 && (
        <span className="flex min-w-0 items-center text-sm">
          <Select
            label="Compared with"
            value={String(reference)}
            options={columns.map((name, at) => ({ value: String(at), label: `${at + 1} · ${name}` }))}
            onChange={(value) => onReference(Number(value))}
          />
        </span>
      )}
      <label
        className={
          'ml-auto flex h-6 max-w-56 min-w-28 flex-1 items-center gap-1 rounded-md border border-line2 bg-surface ' +
          'px-1.5 focus-within:border-accent'
        }
      >
        <Search aria-hidden size={12} className="shrink-0 text-faint" />
        <span className="sr-only">Find in prompts and answers</span>
        <input
          type="search"
          value={query}
          placeholder="Find"
          onChange={(event) => onQuery(event.target.value)}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none"
        />
      </label>
    </div>
  );
}
