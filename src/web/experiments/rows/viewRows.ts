// What stands in the table from top to bottom: experiments, or groups with theirs. Pure.
import { isSucceeded } from '#shared/contract/statuses.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toGroupNames, type RowGroup } from './rowGroups.ts';

export interface GroupFacts {
  readonly count: number;
  readonly succeeded: number;
  /** Smallest and largest last loss; null where no experiment of the group tells one. */
  readonly last_loss: { readonly min: number; readonly max: number } | null;
}

export type ViewRow =
  | { readonly kind: 'experiment'; readonly key: string; readonly row: ExperimentRow }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly value: string | null;
      /** Its value, and what sets it apart from others of the same; null: not given. */
      readonly name: string | null;
      readonly facts: GroupFacts;
      readonly isOpen: boolean;
    };

export function toGroupFacts(rows: readonly ExperimentRow[]): GroupFacts {
  let succeeded = 0;
  let [min, max] = [Infinity, -Infinity];
  for (const { status, last_loss } of rows) {
    if (isSucceeded(status)) succeeded += 1;
    if (last_loss === null) continue;
    if (last_loss < min) min = last_loss;
    if (last_loss > max) max = last_loss;
  }
  return { count: rows.length, succeeded, last_loss: min > max ? null : { min, max } };
}

const toExperiment = (row: ExperimentRow): ViewRow => ({ kind: 'experiment', key: row.id, row });

/** Groups in their order, each followed by its rows unless it is closed; a row may be in one group only. */
export function toViewRows(groups: readonly RowGroup[], closed: ReadonlySet<string>): readonly ViewRow[] {
  const names = toGroupNames(groups);
  return groups.flatMap(({ key, value, rows }): ViewRow[] => {
    const isOpen = !closed.has(key);
    const head: ViewRow = {
      kind: 'group',
      key,
      value,
      name: names.get(key) ?? value,
      facts: toGroupFacts(rows),
      isOpen,
    };
    return isOpen ? [head, ...rows.map(toExperiment)] : [head];
  });
}

export const toFlatRows = (rows: readonly ExperimentRow[]): readonly ViewRow[] => rows.map(toExperiment);

/** The part of a list between two places, both included, whichever comes first: what one press with Shift chooses. */
export function toSpan<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
}
