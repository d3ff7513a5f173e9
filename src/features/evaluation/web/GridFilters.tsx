import { Search } from 'lucide-react';
import {
  ANY_FILTERS,
  toColumnFilters,
  toFilterLabel,
  type AnyFilter,
  type RowFilter,
} from '#features/evaluation/web/grid/rowFilter.ts';
import { Select } from '#ui/fields/Select.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { readTally } from './gridStore.ts';

interface GridFiltersProps {
  value: RowFilter;
  onChange: (value: RowFilter) => void;
  hasChecks: boolean;
  query: string;
  onQuery: (query: string) => void;
  /** Names of the columns, in order. */
  columns: readonly string[];
  /** Index of the reference column. */
  reference: number;
  onReference: (column: number) => void;
}

const toValue = (filter: RowFilter): string => (typeof filter === 'string' ? filter : JSON.stringify(filter));

/** The choice of rows, each filter with its count; the reference column; a search. */
export function GridFilters({
  value,
  onChange,
  hasChecks,
  query,
  onQuery,
  columns,
  reference,
  onReference,
}: GridFiltersProps) {
  const { countRows } = readTally();
  const isShown = (filter: AnyFilter): boolean => {
    if (filter === 'differ') return columns.length > 1;
    if (filter === 'not-passed') return hasChecks;
    // An active filter stays in the list when its count drops to 0.
    return filter !== 'not-checked' || (hasChecks && (value === filter || countRows(filter) > 0));
  };
  const ofColumns =
    columns.length < 2
      ? []
      : toColumnFilters(columns.length, reference).filter(({ kind }) => hasChecks || kind === 'differ');
  // Two columns differ exactly where any do.
  const others = columns.length === 2 ? ofColumns.filter(({ kind }) => kind !== 'differ') : ofColumns;
  const entries: readonly RowFilter[] = [...ANY_FILTERS.filter(isShown), ...others];
  const isListed = typeof value === 'string' || entries.some((filter) => toValue(filter) === toValue(value));
  const listed = (isListed ? entries : [...entries, value]).map((filter) => ({ filter, count: countRows(filter) }));
  return (
    <span className="flex min-w-56 flex-1 items-center justify-end gap-1.5 text-sm">
      <Select
        label="Rows shown"
        isLabelHidden
        value={toValue(value)}
        options={listed.map(({ filter, count }) => ({
          value: toValue(filter),
          label: toFilterLabel(filter, columns),
          hint: formatCount(count),
        }))}
        onChange={(next) => {
          const chosen = listed.find(({ filter }) => toValue(filter) === next);
          if (chosen) onChange(chosen.filter);
        }}
      />
      {hasChecks && columns.length > 2 && (
        <Select
          label="Compared with"
          isLabelHidden
          value={String(reference)}
          options={columns.map((name, at) => ({ value: String(at), label: `vs. ${at + 1} · ${name}` }))}
          onChange={(next) => onReference(Number(next))}
        />
      )}
      <label
        className={
          'flex h-7 max-w-48 min-w-24 flex-1 items-center gap-1 rounded-md border border-line-strong bg-surface ' +
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
    </span>
  );
}
