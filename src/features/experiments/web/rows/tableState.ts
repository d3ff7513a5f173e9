// The table's state in the address: sort, columns, pins, group. Reading never fails: unknown names are ignored. Pure.
import type { ExperimentColumn } from './column.ts';
import { toShortName } from '#core/contract/shortName.ts';
import { toHeldOutId } from '#features/experiments/shared/heldOut.ts';
import { GROUPS, KEY_COLUMN, NAME_COLUMN } from './columns.ts';
import type { DatasetResult } from './datasetResults.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { SEED_GROUP } from './seedGroups.ts';

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

const toSortList = (sorts: readonly Sort[]): readonly string[] => sorts.map(({ id, desc }) => (desc ? `-${id}` : id));

/** In place of columns in the address: a person wants tree order where runs are sorted by default. */
const TREE_ORDER = 'tree';

/** The sort of the table. `usual`: while nobody has chosen one. */
export function toSorts(
  list: readonly string[],
  columns: readonly ExperimentColumn[],
  usual: readonly Sort[],
): readonly Sort[] {
  const chosen = parseSort(list, columns);
  return chosen.length > 0 || list[0] === TREE_ORDER ? chosen : usual;
}

/** The list for the address that gives this sort where `usual` is the default. */
export const toChosenList = (sorts: readonly Sort[], usual: readonly Sort[]): readonly string[] =>
  sorts.length === 0 && usual.length > 0 ? [TREE_ORDER] : toSortList(sorts);

/** How a column sorts, and what its head does next: `best first; press for worst first`. null: by itself it doesn't sort. */
export function toSortWords({ better }: Pick<ExperimentColumn, 'better'>, sort: Sort | undefined): string | null {
  if (!sort) return null;
  const [first, second] = better === undefined ? ['ascending', 'descending'] : ['best first', 'worst first'];
  const isFirst = sort.desc === (better === 'higher');
  return isFirst ? `${first}; press for ${second}` : `${second}; press for tree order`;
}

/**
 * A press on a column's head: the best first (without a best: ascending), the other way, tree order. With Shift the
 * other columns stay in the sort.
 */
export function reduceSort(
  sorts: readonly Sort[],
  { id, better }: Pick<ExperimentColumn, 'id' | 'better'>,
  isMulti: boolean,
): readonly Sort[] {
  const first: Sort = { id, desc: better === 'higher' };
  const now = sorts.find((sort) => sort.id === id);
  const next: Sort | null = !now ? first : now.desc === first.desc ? { id, desc: !first.desc } : null;
  if (!isMulti) return next ? [next] : [];
  if (!now) return [...sorts, first];
  return sorts.flatMap((sort) => (sort.id === id ? (next ? [next] : []) : [sort]));
}

/** While nobody has chosen a sort: runs of one dataset stand best first by its main measure, others in tree order. */
export function toUsualSort(results: readonly DatasetResult[], columns: readonly ExperimentColumn[]): readonly Sort[] {
  const main = results.length === 1 ? results[0]?.main : null;
  const column = main && columns.find(({ id }) => id === toShortName(toHeldOutId(main.name)));
  return column ? [{ id: column.id, desc: column.better === 'higher' }] : [];
}

/** In place of a group in the address: a person wants none where seeds are put together by default. */
export const NO_GROUP = 'none';

/** The group of the table. `usual`: while nobody has chosen one. */
export function toGroup(text: string | null, usual: string | null): string | null {
  if (text === NO_GROUP) return null;
  return [...GROUPS, SEED_GROUP].find(({ id }) => id === text)?.id ?? usual;
}

/** Columns in which at least one row has a value. */
export function toFilledIds(columns: readonly ExperimentColumn[], rows: readonly ExperimentRow[]): ReadonlySet<string> {
  return new Set(columns.filter((column) => rows.some((row) => column.read(row) !== null)).map((column) => column.id));
}

/** The value that all rows share; undefined if they differ or are fewer than two. Rows of unread jobs are skipped. */
function findSharedValue(column: ExperimentColumn, rows: readonly ExperimentRow[]): string | number | null | undefined {
  if (rows.length < 2) return undefined;
  let same: string | number | null | undefined;
  for (const row of rows) {
    if (column.source === 'job' && row.isPending) continue;
    const value = column.read(row);
    if (same !== undefined && value !== same) return undefined;
    same = value;
  }
  return same;
}

export interface UsualColumns {
  readonly ids: readonly string[];
  /** Columns that are hidden because all rows have this value. */
  readonly same: readonly { readonly column: ExperimentColumn; readonly value: string | number }[];
}

/**
 * The columns while nobody has chosen any. Columns in `kept` (filtered, sorted or grouped ones) are shown even if all
 * rows have the same value.
 */
export function toUsual(
  columns: readonly ExperimentColumn[],
  rows: readonly ExperimentRow[],
  kept: ReadonlySet<string>,
): UsualColumns {
  const filled = toFilledIds(columns, rows);
  const ids: string[] = [];
  const same: { readonly column: ExperimentColumn; readonly value: string | number }[] = [];
  for (const column of columns) {
    const { id, usual } = column;
    if (id !== NAME_COLUMN && (usual === 'no' || !filled.has(id))) continue;
    const value = usual === 'always' || kept.has(id) ? undefined : findSharedValue(column, rows);
    if (value === undefined || value === null) ids.push(id);
    else if (usual === 'differing') same.push({ column, value });
  }
  return { ids, same };
}

/** The chosen columns, else the usual ones. The name is always included: without it rows can't be told apart. */
export function toShownIds(
  list: readonly string[],
  columns: readonly ExperimentColumn[],
  usual: readonly string[],
): readonly string[] {
  const chosen = columns.filter((column) => list.includes(column.id)).map((column) => column.id);
  if (chosen.length === 0) return usual;
  return chosen.includes(NAME_COLUMN) ? chosen : [NAME_COLUMN, ...chosen];
}

export interface FileColumns {
  readonly columns: readonly ExperimentColumn[];
  /** Says which columns these are, for the menu. */
  readonly words: string;
}

/**
 * The columns of a file: the chosen ones in the order of the table (`drawn`), plus the id, by which files are joined.
 * If nobody has chosen, a file has all columns, so that any two files have the same ones.
 */
export function toFileColumns(
  list: readonly string[],
  columns: readonly ExperimentColumn[],
  drawn: readonly ExperimentColumn[],
): FileColumns {
  if (toShownIds(list, columns, []).length === 0) return { columns, words: 'all columns' };
  if (drawn.some(({ id }) => id === KEY_COLUMN)) return { columns: drawn, words: 'chosen columns' };
  return { columns: [...drawn, ...columns.filter(({ id }) => id === KEY_COLUMN)], words: 'chosen columns and id' };
}

/** The selected rows in the order of the table. Rows that a filter hides stay selected and come last. */
export function toSelectedRows(
  ordered: readonly ExperimentRow[],
  rows: readonly ExperimentRow[],
  selected: { has: (id: string) => boolean },
): readonly ExperimentRow[] {
  const shown = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...rows.filter(({ id }) => !shown.has(id))].filter(({ id }) => selected.has(id));
}

/** Entry of `pins` that says that nothing is pinned. No column has this name. */
const NO_PINS = 'none';

/** The pinned columns among the shown ones; the name if nobody has chosen. */
export function toPinnedIds(list: readonly string[], shown: readonly string[]): readonly string[] {
  if (list.length === 0) return [NAME_COLUMN];
  return shown.filter((id) => list.includes(id));
}

export function reducePins(pinned: readonly string[], id: string): readonly string[] {
  const next = pinned.includes(id) ? pinned.filter((other) => other !== id) : [...pinned, id];
  if (next.length === 1 && next[0] === NAME_COLUMN) return [];
  return next.length === 0 ? [NO_PINS] : next;
}

/** Shows or hides a column. The usual columns give an empty list, so the address stays short. */
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
