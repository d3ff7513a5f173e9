// The table's state as the address holds it: sort, columns, pins, group. Reading never fails: what no column is called
// is left out. Pure.
import { HELD_OUT } from '#shared/training/heldOut.ts';
import type { ExperimentColumn } from './columns.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

/** `-name`: descending. */
export function parseSort(list: readonly string[], columns: readonly ExperimentColumn[]): Sort[] {
  const ids = new Set(columns.map((column) => column.id));
  const found = new Map<string, Sort>();
  for (const entry of list) {
    const desc = entry.startsWith('-');
    const id = desc ? entry.slice(1) : entry;
    if (ids.has(id) && !found.has(id)) found.set(id, { id, desc });
  }
  return [...found.values()];
}

export const toSortList = (sorts: readonly Sort[]): readonly string[] =>
  sorts.map(({ id, desc }) => (desc ? `-${id}` : id));

/** A press on a column's head: ascending, descending, none. With Shift the other columns stay. */
export function reduceSort(sorts: readonly Sort[], id: string, isMulti: boolean): readonly Sort[] {
  const now = sorts.find((sort) => sort.id === id);
  const next: Sort | null = !now ? { id, desc: false } : now.desc ? null : { id, desc: true };
  if (!isMulti) return next ? [next] : [];
  if (!now) return [...sorts, { id, desc: false }];
  return sorts.flatMap((sort) => (sort.id === id ? (next ? [next] : []) : [sort]));
}

export const GROUPS = [
  { id: 'base_model_id', label: 'Base model' },
  { id: 'status', label: 'Status' },
  { id: 'dataset', label: 'Dataset' },
  { id: 'job', label: 'Job' },
] as const;

export const parseGroup = (text: string | null): string | null => GROUPS.find(({ id }) => id === text)?.id ?? null;

/** Columns in which at least one row has a value. */
export function toFilledIds(columns: readonly ExperimentColumn[], rows: readonly ExperimentRow[]): ReadonlySet<string> {
  return new Set(columns.filter((column) => rows.some((row) => column.read(row) !== null)).map((column) => column.id));
}

/** Shown while nobody has chosen, unless it is the same in all rows. */
const USUAL: ReadonlySet<string> = new Set([
  'label',
  'status',
  'training_type',
  'learning_rate_multiplier',
  'n_epochs',
  'batch_size',
  'last_loss',
  'job',
  'dataset',
  'snapshot',
  'base_model_id',
  'model_id',
]);
/**
 * Where a row stands in the project. Places of one name may be different ones: left out, they are not said to be the
 * same.
 */
const PLACES: ReadonlySet<string> = new Set(['job', 'dataset', 'snapshot']);
/** Never hidden: what a row is, and how it stands. */
const ALWAYS: ReadonlySet<string> = new Set(['label', 'status']);
const MAX_USUAL_MEASURES = 2;

/**
 * The value that all rows have; undefined where they differ, or are fewer than two. A row that still waits for its job
 * says nothing.
 */
function findSame(column: ExperimentColumn, rows: readonly ExperimentRow[]): string | number | null | undefined {
  if (rows.length < 2) return undefined;
  let same: string | number | null | undefined;
  for (const row of rows) {
    if (column.isFromJob && row.isPending) continue;
    const value = column.read(row);
    if (same !== undefined && value !== same) return undefined;
    same = value;
  }
  return same;
}

export interface UsualColumns {
  readonly ids: readonly string[];
  /** Left out because all rows have the same value, which is not missing. */
  readonly same: readonly { readonly column: ExperimentColumn; readonly value: string | number }[];
}

/**
 * What is shown while nobody has chosen. Columns in `kept` (filtered, sorted, grouped ones) stay though all rows are
 * the same in them.
 */
export function toUsual(
  columns: readonly ExperimentColumn[],
  rows: readonly ExperimentRow[],
  kept: ReadonlySet<string>,
): UsualColumns {
  const filled = toFilledIds(columns, rows);
  const measures = new Set(columns.filter((column) => column.id.startsWith(HELD_OUT)).slice(0, MAX_USUAL_MEASURES));
  const ids: string[] = [];
  const same: { readonly column: ExperimentColumn; readonly value: string | number }[] = [];
  for (const column of columns) {
    const { id } = column;
    if (id !== 'label' && !(filled.has(id) && (USUAL.has(id) || measures.has(column)))) continue;
    const value = ALWAYS.has(id) || kept.has(id) ? undefined : findSame(column, rows);
    if (value === undefined || value === null) ids.push(id);
    else if (!PLACES.has(id)) same.push({ column, value });
  }
  return { ids, same };
}

/** The chosen columns, else the usual ones. The name is always among them: without it rows can't be told apart. */
export function toShownIds(
  list: readonly string[],
  columns: readonly ExperimentColumn[],
  usual: readonly string[],
): readonly string[] {
  const chosen = columns.filter((column) => list.includes(column.id)).map((column) => column.id);
  if (chosen.length === 0) return usual;
  return chosen.includes('label') ? chosen : ['label', ...chosen];
}

export interface FileColumns {
  readonly columns: readonly ExperimentColumn[];
  /** Which ones these are, for the menu. */
  readonly words: string;
}

/**
 * What a file holds: the chosen columns as they are `drawn`, the pinned ones first, and always the id, which files are
 * joined by; all of them while nobody has chosen, whatever the table leaves out: two files can be put together.
 */
export function toFileColumns(
  list: readonly string[],
  columns: readonly ExperimentColumn[],
  drawn: readonly ExperimentColumn[],
): FileColumns {
  if (toShownIds(list, columns, []).length === 0) return { columns, words: 'all columns' };
  if (drawn.some(({ id }) => id === 'id')) return { columns: drawn, words: 'chosen columns' };
  return { columns: [...drawn, ...columns.filter(({ id }) => id === 'id')], words: 'chosen columns and id' };
}

/** The selected rows in the order of the table; those that a filter hides stay selected, and come last. */
export function toSelectedRows(
  ordered: readonly ExperimentRow[],
  rows: readonly ExperimentRow[],
  selected: { has: (id: string) => boolean },
): readonly ExperimentRow[] {
  const shown = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...rows.filter(({ id }) => !shown.has(id))].filter(({ id }) => selected.has(id));
}

/** In `pins`: nothing is pinned. No column is called so. */
const NO_PINS = 'none';

/** The pinned columns among the shown ones; the name unless somebody chose. */
export function toPinnedIds(list: readonly string[], shown: readonly string[]): readonly string[] {
  if (list.length === 0) return ['label'];
  return shown.filter((id) => list.includes(id));
}

export function reducePins(pinned: readonly string[], id: string): readonly string[] {
  const next = pinned.includes(id) ? pinned.filter((other) => other !== id) : [...pinned, id];
  if (next.length === 1 && next[0] === 'label') return [];
  return next.length === 0 ? [NO_PINS] : next;
}

/** Shows or hides a column; back at the usual ones nothing is kept. */
export function reduceColumns(
  shown: readonly string[],
  id: string,
  columns: readonly ExperimentColumn[],
  usual: readonly string[],
): readonly string[] {
  const wanted = new Set(shown);
  if (!wanted.delete(id)) wanted.add(id);
  const next = columns.filter((column) => wanted.has(column.id)).map((column) => column.id);
  return next.length === usual.length && next.every((other) => usual.includes(other)) ? [] : next;
}
