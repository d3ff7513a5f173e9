// Sorts and groups the rows of the table. Pure.
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toSortKey, type ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toGroupId, toGroupKey, type RowGroup } from './rowGroups.ts';
import type { Sort } from './tableState.ts';

type SortKey = ReturnType<typeof toSortKey>;

/** Missing values come last in both directions. */
function compareKeys(a: SortKey, b: SortKey, desc: boolean): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b === desc ? 1 : -1;
}

/** Entries that no sort tells apart stay in their order. `toKey`: of an entry in a column. */
export function sortBy<Entry>(
  entries: readonly Entry[],
  columns: readonly ExperimentColumn[],
  sorts: readonly Sort[],
  toKey: (column: ExperimentColumn, entry: Entry) => SortKey,
): readonly Entry[] {
  const by = sorts.flatMap(({ id, desc }) => {
    const column = columns.find((each) => each.id === id);
    return column ? [{ desc, keys: new Map(entries.map((entry) => [entry, toKey(column, entry)])) }] : [];
  });
  if (by.length === 0) return entries;
  return entries.toSorted((a, b) => {
    for (const { desc, keys } of by) {
      const order = compareKeys(keys.get(a), keys.get(b), desc);
      if (order !== 0) return order;
    }
    return 0;
  });
}

export const sortRows = (
  rows: readonly ExperimentRow[],
  columns: readonly ExperimentColumn[],
  sorts: readonly Sort[],
): readonly ExperimentRow[] => sortBy(rows, columns, sorts, toSortKey);

/** The groups of a column's values, in the order of those values; `sorts` sorts the rows within each. */
export function groupRows(
  rows: readonly ExperimentRow[],
  columns: readonly ExperimentColumn[],
  sorts: readonly Sort[],
  column: ExperimentColumn,
): readonly RowGroup[] {
  const desc = sorts.find(({ id }) => id === column.id)?.desc ?? false;
  const groups = [...toGroups(rows, (row) => toGroupKey(column, row))].flatMap(([key, members]) => {
    const [first] = members;
    if (!first) return [];
    const value = column.read(first);
    return [
      {
        sortKey: toSortKey(column, first),
        group: {
          key: `${column.id}:${key}`,
          id: toGroupId(column, first),
          value: value === null ? null : String(value),
          rows: sortRows(members, columns, sorts),
        },
      },
    ];
  });
  return groups.toSorted((a, b) => compareKeys(a.sortKey, b.sortKey, desc)).map(({ group }) => group);
}
