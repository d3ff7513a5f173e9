// Groups of experiments: which group a row is in, and what groups are called. Pure.
import { toUniqueNames } from '#shared/training/uniqueNames.ts';
import { shortId } from '#web/ui/format.ts';
import type { ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface RowGroup {
  readonly key: string;
  /** Of the node that it is; null where its value is all there is to it. */
  readonly id: string | null;
  /** null: not given. */
  readonly value: string | null;
  readonly rows: readonly ExperimentRow[];
}

/** The node that a group by this column is; null where it is none. */
export const toGroupId = ({ group }: ExperimentColumn, row: ExperimentRow): string | null =>
  group?.nodeId?.(row) ?? null;

/** Two jobs of one name stay two groups, as do two datasets; a missing value is a group of its own. */
export function toGroupKey(column: ExperimentColumn, row: ExperimentRow): string {
  const value = toGroupId(column, row) ?? column.read(row);
  return value === null ? '' : `=${value}`;
}

/** The place that all of them have; null where they differ. */
const toShared = (rows: readonly ExperimentRow[], read: (row: ExperimentRow) => string | null): string | null => {
  const [first = null, ...others] = new Set(rows.map(read));
  return others.length === 0 ? first : null;
};

/** By key, of those that have a value: where a name repeats, what sets its groups apart stands behind it. */
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
