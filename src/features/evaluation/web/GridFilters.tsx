import { Search } from 'lucide-react';
import {
  ANY_FILTERS,
  toColumnFilters,
  toFilterKey,
  toFilterLabel,
  type AnyFilter,
  type RowFilter,
} from '#features/evaluation/web/grid/rowFilter.ts';
import { Select } from '#ui/fields/Select.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { readTally, setView, useGrid } from './gridStore.ts';
import { useGridView } from './useGridView.ts';

const toValue = (filter: RowFilter): string => (typeof filter === 'string' ? filter : JSON.stringify(filter));

/** The choice of rows, each filter with its count; the reference column; a search. */
export function GridFilters() {
  const columns = useGrid((state) => state.setup.columns);
  const hasChecks = useGrid((state) => state.checks.length > 0);
  useGrid((state) => state.pulse);
  const { filter: value, query, reference, names } = useGridView();
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
          label: toFilterLabel(filter, names),
          hint: formatCount(count),
        }))}
        onChange={(next) => {
          const chosen = listed.find(({ filter }) => toValue(filter) === next);
          if (chosen) setView({ filter: toFilterKey(chosen.filter, columns) });
        }}
      />
      {hasChecks && columns.length > 2 && (
        <Select
          label="Compared with"
          isLabelHidden
          value={String(reference)}
          options={names.map((name, at) => ({ value: String(at), label: `vs. ${at + 1} · ${name}` }))}
          onChange={(next) => setView({ referenceId: columns[Number(next)]?.id ?? null })}
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
          onChange={(event) => setView({ query: event.target.value })}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none"
        />
      </label>
    </span>
  );
}
