// Which rows a grid shows: those of any column, or those of chosen columns. Pure.
import type { GridColumn } from './gridBook.ts';

/** Filters that any column can fulfil. */
export const ANY_FILTERS = ['all', 'differ', 'not-passed', 'not-checked', 'failed'] as const;
export type AnyFilter = (typeof ANY_FILTERS)[number];

/** Filters of columns, by their indexes. */
export type ColumnFilter =
  | { readonly kind: 'not-passed-by'; readonly column: number }
  /** Both columns have answered, and not the same. `first` is the smaller index. */
  | { readonly kind: 'differ'; readonly first: number; readonly second: number }
  | { readonly kind: 'passed-alone'; readonly passed: number; readonly failed: number };

export type RowFilter = AnyFilter | ColumnFilter;

type Columns = readonly Pick<GridColumn, 'id'>[];

function toPlaces(filter: ColumnFilter): readonly number[] {
  if (filter.kind === 'not-passed-by') return [filter.column];
  return filter.kind === 'differ' ? [filter.first, filter.second] : [filter.passed, filter.failed];
}

/** Names columns by their ids, so that a filter follows its columns when others come or go. */
export function toFilterKey(filter: RowFilter, columns: Columns): string {
  if (typeof filter === 'string') return filter;
  return [filter.kind, ...toPlaces(filter).map((place) => columns[place]?.id ?? '')].join(' ');
}

/** The filters of columns, each other column beside the reference column. */
export function toColumnFilters(count: number, reference: number): readonly ColumnFilter[] {
  const places = Array.from({ length: count }, (_, at) => at);
  const others = places.filter((at) => at !== reference);
  return [
    ...places.map((column) => ({ kind: 'not-passed-by', column }) as const),
    ...others.flatMap((other) => [
      { kind: 'differ', first: Math.min(reference, other), second: Math.max(reference, other) } as const,
      { kind: 'passed-alone', passed: reference, failed: other } as const,
      { kind: 'passed-alone', passed: other, failed: reference } as const,
    ]),
  ];
}

/** The filter that a key names; all rows if one of its columns has gone. */
export function findFilter(key: string, columns: Columns): RowFilter {
  const any = ANY_FILTERS.find((filter) => filter === key);
  if (any !== undefined) return any;
  const references = columns.map((_, at) => at);
  const filters = references.flatMap((reference) => toColumnFilters(columns.length, reference));
  return filters.find((filter) => toFilterKey(filter, columns) === key) ?? 'all';
}

const ANY_LABELS: Readonly<Record<AnyFilter, string>> = {
  all: 'All rows',
  differ: 'Answers differ',
  'not-passed': 'Not passed',
  'not-checked': 'Not checked',
  failed: 'No answer',
};

/** "Not passed by 1 · Experiment 2"; columns count from 1. `names`: of the columns. */
export function toFilterLabel(filter: RowFilter, names: readonly string[]): string {
  const toName = (at: number): string => `${at + 1} · ${names[at] ?? ''}`;
  if (filter === 'not-passed' && names.length > 1) return 'Not passed by at least one';
  if (typeof filter === 'string') return ANY_LABELS[filter];
  if (filter.kind === 'not-passed-by') return `Not passed by ${toName(filter.column)}`;
  if (filter.kind === 'differ') return `${filter.first + 1} and ${filter.second + 1} differ`;
  return `Passed by ${filter.passed + 1}, not by ${filter.failed + 1}`;
}
