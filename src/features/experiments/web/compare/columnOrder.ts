// The order of columns: the baseline first, then runs before advice, or as a person listed them, or by one row. Pure.
import { toShortName } from '#core/contract/shortName.ts';
import { toStatusMeaning } from '#core/contract/statuses.ts';
import type { Parameter } from '#features/experiments/shared/parameters.ts';
import type { ParameterValue } from '#features/experiments/shared/delta.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { compareByMeasure, toMainMeasure } from '#features/experiments/shared/measures.ts';
import { parseRunRef } from '#ui/address/runRefs.ts';
import { makeOnce } from '#ui/kit/format.ts';
import type { CompareColumn, ReadyColumn } from './compareColumns.ts';

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

/** In place of a row's name in the address: a person moved a column, so the columns stay as the address lists them. */
export const AS_LISTED = 'listed';

/** A click on a row's head: ascending, descending, best runs first. */
export function reduceSort(sort: ColumnSort | null, id: string): ColumnSort | null {
  if (sort?.id !== id) return { id, isDescending: false };
  return sort.isDescending ? null : { id, isDescending: true };
}

const isReadyRun = (column: CompareColumn): column is ReadyColumn =>
  column.kind === 'ready' && column.candidate.origin === 'run';

const isFailed = ({ candidate }: ReadyColumn): boolean => toStatusMeaning(candidate.status) === 'bad';

/** The runs of one snapshot, best first by their main measure; without one, failed runs last. */
function toBestFirst(runs: readonly ReadyColumn[]): readonly ReadyColumn[] {
  const { answer_shape = null, main_measure = null } = runs.find(({ measured }) => measured)?.measured ?? {};
  const names = [...new Set(runs.flatMap(({ measured }) => Object.keys(measured?.held_out ?? {})))];
  const main = toMainMeasure(names, answer_shape, main_measure);
  const valueOf = ({ measured }: ReadyColumn): number | null => (main && measured?.held_out[main.name]) ?? null;
  return runs.toSorted(
    (a, b) => (main ? compareByMeasure(main, valueOf(a), valueOf(b)) : 0) || Number(isFailed(a)) - Number(isFailed(b)),
  );
}

/** Where a column stands while nobody has ordered the columns: runs, advice for base models, proposals, the rest. */
function toPlace(column: CompareColumn): number {
  if (column.kind === 'ready') return { run: 0, model: 1, proposal: 2 }[column.candidate.origin];
  if (column.kind === 'missing') return 3;
  return parseRunRef(column.ref)?.kind === 'experiment' ? 0 : 1;
}

/** Runs first, then advice for base models, then proposals. Runs of one snapshot are best first once all are loaded. */
export function toUsualOrder(columns: readonly CompareColumn[]): readonly CompareColumn[] {
  const placed = columns.toSorted((a, b) => toPlace(a) - toPlace(b));
  const isLoading = placed.some((column) => column.kind === 'loading' && toPlace(column) === 0);
  if (isLoading) return placed;
  const runs = placed.filter(isReadyRun);
  const bySnapshot = toGroups(runs, ({ candidate }) => candidate.snapshot_id ?? '');
  return [...[...bySnapshot.values()].flatMap(toBestFirst), ...placed.filter((column) => !isReadyRun(column))];
}

const natural = makeOnce(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }));

/** Numbers before texts, each in its own order; NaN counts as missing. */
function compareValues(a: ParameterValue, b: ParameterValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  return typeof b === 'number' ? 1 : natural().compare(String(a), String(b));
}

const isMissing = (value: ParameterValue): boolean => value === null || Number.isNaN(value);

/**
 * The baseline, then the others by `parameter`, or in the order of `columns` without one. Missing values and columns
 * without a candidate stay last in both directions; equal ones keep their order.
 */
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

/** What is said of an order: the row that sorts, or that a person moved columns; null: nothing, as it is the usual one. */
export type OrderWords = { readonly label: string; readonly isDescending: boolean } | typeof AS_LISTED | null;

interface OrderInput {
  /** As the address lists them. */
  readonly columns: readonly CompareColumn[];
  /** The same in the usual order. */
  readonly usual: readonly CompareColumn[];
  /** Its ref; null: no column has a candidate. */
  readonly baseline: string | null;
  readonly parameters: readonly Parameter[];
}

interface ShownOrder {
  /** The baseline first. */
  readonly ordered: readonly CompareColumn[];
  /** The row that sorts them; null: none. */
  readonly sort: ColumnSort | null;
  readonly said: OrderWords;
}

/** The order that the address asks for. */
export function toShownOrder(text: string | null, { columns, usual, baseline, parameters }: OrderInput): ShownOrder {
  const first = baseline ?? usual[0]?.ref ?? null;
  if (text === AS_LISTED) return { ordered: toColumnOrder(columns, first, null, false), sort: null, said: AS_LISTED };
  const sort = parseOrder(text, parameters);
  const row = parameters.find(({ id }) => id === sort?.id) ?? null;
  const isDescending = sort?.isDescending ?? false;
  return {
    ordered: toColumnOrder(usual, first, row, isDescending),
    sort,
    said: row && { label: row.label, isDescending },
  };
}
