// The order of columns: the baseline first, then as chosen, or by the values of one row. Pure.
import { toShortName } from '#shared/contract/shortName.ts';
import type { Parameter } from '#shared/training/compareTable.ts';
import type { ParameterValue } from '#shared/training/delta.ts';
import type { CompareColumn } from './compareColumns.ts';

export interface ColumnSort {
  /** The row's id. */
  readonly id: string;
  readonly isDescending: boolean;
}

/** The text for the address: a row's name, with `-` before it for descending. */
export const toOrderText = (sort: ColumnSort | null): string | null =>
  sort === null ? null : `${sort.isDescending ? '-' : ''}${toShortName(sort.id)}`;

/** The order in the address, if it names one of the rows (a name may itself begin with `-`). */
export function parseOrder(text: string | null, parameters: readonly Parameter[]): ColumnSort | null {
  if (text === null) return null;
  const find = (name: string): string | undefined => parameters.find(({ id }) => toShortName(id) === name)?.id;
  const own = find(text);
  if (own !== undefined) return { id: own, isDescending: false };
  const id = text.startsWith('-') ? find(text.slice(1)) : undefined;
  return id === undefined ? null : { id, isDescending: true };
}

/** A click on a row's head: ascending, descending, as chosen. */
export function reduceSort(sort: ColumnSort | null, id: string): ColumnSort | null {
  if (sort?.id !== id) return { id, isDescending: false };
  return sort.isDescending ? null : { id, isDescending: true };
}

const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers before texts, each in its own order; NaN counts as missing. */
function compareValues(a: ParameterValue, b: ParameterValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  return typeof b === 'number' ? 1 : NATURAL.compare(String(a), String(b));
}

const isMissing = (value: ParameterValue): boolean => value === null || Number.isNaN(value);

/** Missing values and columns without a candidate stay last in both directions; equal ones stay as chosen. */
export function toColumnOrder(
  columns: readonly CompareColumn[],
  baseline: string | null,
  parameter: Parameter | null,
  isDescending: boolean,
): readonly CompareColumn[] {
  const first = columns.filter(({ ref }) => ref === baseline);
  const rest = columns.filter(({ ref }) => ref !== baseline);
  if (!parameter) return [...first, ...rest];
  const valued = rest.map((column) => ({
    column,
    value: column.kind === 'ready' ? parameter.read(column.candidate) : null,
  }));
  const given = valued.filter(({ value }) => !isMissing(value));
  const ordered = given.toSorted((a, b) =>
    isDescending ? compareValues(b.value, a.value) : compareValues(a.value, b.value),
  );
  return [
    ...first,
    ...ordered.map(({ column }) => column),
    ...valued.filter(({ value }) => isMissing(value)).map(({ column }) => column),
  ];
}
