// TanStack Table over the filtered rows: sorts, groups, shows and pins columns. The caller owns the table's state.
import {
  columnGroupingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  createGroupedRowModel,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortFn,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { toSortKey, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toGroupId, toGroupKey, type RowGroup } from '#features/experiments/web/rows/rowGroups.ts';
import type { Sort } from '#features/experiments/web/rows/tableState.ts';

const features = tableFeatures({
  rowSortingFeature,
  columnGroupingFeature,
  columnVisibilityFeature,
  columnPinningFeature,
  sortedRowModel: createSortedRowModel(),
  groupedRowModel: createGroupedRowModel(),
});

type Features = typeof features;

/** Missing values never get here: `sortUndefined` puts them last in both directions. */
const compareKeys: SortFn<Features, ExperimentRow> = (a, b, id) => {
  const left = a.getValue<string | number>(id);
  const right = b.getValue<string | number>(id);
  return left < right ? -1 : Number(left > right);
};

const toDefinition = (column: ExperimentColumn): ColumnDef<Features, ExperimentRow> => ({
  id: column.id,
  accessorFn: (row) => toSortKey(column, row),
  sortFn: compareKeys,
  sortUndefined: 'last',
  getGroupingValue: (row) => toGroupKey(column, row),
});

interface TableRowsInput {
  readonly rows: readonly ExperimentRow[];
  readonly columns: readonly ExperimentColumn[];
  readonly sorts: readonly Sort[];
  readonly group: string | null;
  readonly shown: readonly string[];
  readonly pinned: readonly string[];
}

export interface TableRows {
  /** Sorted; null when the rows are grouped. */
  readonly flat: readonly ExperimentRow[] | null;
  /** Sorted, with sorted rows; empty when they are not grouped. */
  readonly groups: readonly RowGroup[];
  /** Shown columns, the pinned ones first. */
  readonly columns: readonly ExperimentColumn[];
  readonly pinnedCount: number;
}

export function useTableRows({ rows, columns, sorts, group, shown, pinned }: TableRowsInput): TableRows {
  const definitions = useMemo(() => columns.map(toDefinition), [columns]);
  const state = useMemo(
    () => ({
      // A group head has a value only in its own column, so this column comes last in the sort.
      sorting:
        group === null || sorts.some(({ id }) => id === group) ? [...sorts] : [...sorts, { id: group, desc: false }],
      grouping: group === null ? [] : [group],
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])),
      columnPinning: { start: [...pinned], end: [] },
    }),
    [columns, sorts, group, shown, pinned],
  );
  const table = useTable({
    features,
    data: rows,
    columns: definitions,
    state,
    getRowId: (row) => row.id,
    groupedColumnMode: false,
  });
  const model = table.getRowModel();
  const start = table.getStartVisibleLeafColumns();
  const center = table.getCenterVisibleLeafColumns();
  const ordered = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    return [...start, ...center].flatMap(({ id }) => byId.get(id) ?? []);
  }, [columns, start, center]);
  return useMemo(() => {
    const base = { columns: ordered, pinnedCount: start.length };
    if (group === null) return { ...base, flat: model.rows.map((row) => row.original), groups: [] };
    const column = columns.find(({ id }) => id === group);
    const groups = model.rows.map(({ id, subRows }): RowGroup => {
      const members = subRows.map((row) => row.original);
      const first = members[0];
      const value = column && first ? column.read(first) : null;
      return {
        key: id,
        id: column && first ? toGroupId(column, first) : null,
        value: value === null ? null : String(value),
        rows: members,
      };
    });
    return { ...base, flat: null, groups };
  }, [model, group, columns, ordered, start]);
}
