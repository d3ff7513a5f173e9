// Groups of experiments: which group a row is in, and what groups are called. Pure.
import { toUniqueNames } from '#features/experiments/shared/uniqueNames.ts';
import { shortId } from '#ui/kit/format.ts';
import type { ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface RowGroup {
  readonly key: string;
  /** Id of the group's node; null if the value alone makes the group. */
  readonly id: string | null;
  /** null: not given. */
  readonly value: string | null;
  readonly rows: readonly ExperimentRow[];
}

/** Id of the node of a row's group; null if groups of this column are no nodes. */
export const toGroupId = ({ group }: ExperimentColumn, row: ExperimentRow): string | null =>
  group?.nodeId?.(row) ?? null;

/** Two jobs of one name stay two groups, as do two datasets; a missing value is a group of its own. */
export function toGroupKey(column: ExperimentColumn, row: ExperimentRow): string {
  const value = toGroupId(column, row) ?? column.read(row);
  return value === null ? '' : `=${value}`;
}

/** The value that all rows share; null where they differ. */
const toShared = (rows: readonly ExperimentRow[], read: (row: ExperimentRow) => string | null): string | null => {
  const [first = null, ...others] = new Set(rows.map(read));
  return others.length === 0 ? first : null;
};

/** Names by key, for groups with a value. Where names repeat, the name also says what tells its groups apart. */
export function toGroupNames(groups: readonly RowGroup[]): ReadonlyMap<string, string> {
  const named = groups.flatMap(({ key, id, value, rows }) =>
    value === null
      ? []
      : [
          {
            key,
            label: value,
            places: [toShared(rows, (row) => row.dataset), toShared(rows, (row) => row.snapshot)],
            ...(id !== null && { mark: `id ${shortId(id)}` }),
          },
        ],
  );
  return toUniqueNames(named);
}
