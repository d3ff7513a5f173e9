// The lines of the table from top to bottom: experiments, or groups with their experiments. Pure.
import { isSucceeded } from '#core/contract/statuses.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toGroupNames, type RowGroup } from './rowGroups.ts';
import { toSpread, type Spread } from './seedGroups.ts';

export interface GroupFacts {
  readonly count: number;
  readonly succeeded: number;
  /** Smallest and largest last loss; null if no experiment of the group has one. */
  readonly last_loss: { readonly min: number; readonly max: number } | null;
  readonly spread: Spread | null;
}

export type ViewRow =
  | {
      readonly kind: 'experiment';
      readonly key: string;
      readonly row: ExperimentRow;
      readonly isInGroup: boolean;
    }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly value: string | null;
      /** Its value, with what tells it apart from groups of the same value; null: not given. */
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
  return { count: rows.length, succeeded, last_loss: min > max ? null : { min, max }, spread: toSpread(rows) };
}

const toExperimentLine = (row: ExperimentRow, isInGroup: boolean): ViewRow => ({
  kind: 'experiment',
  key: row.id,
  row,
  isInGroup,
});

interface Folding {
  /** Groups that a person opened or closed. */
  readonly toggled: ReadonlySet<string>;
  /** A group is one line until it is opened, and a single run has no group. Without it groups are open. */
  readonly isFolded?: boolean;
}

/** Groups in their order, each followed by its rows unless it is closed. A row may be in one group only. */
export function toViewRows(groups: readonly RowGroup[], { toggled, isFolded = false }: Folding): readonly ViewRow[] {
  const names = toGroupNames(groups);
  return groups.flatMap(({ key, value, rows }): ViewRow[] => {
    const [first] = rows;
    if (isFolded && first && rows.length === 1) return [toExperimentLine(first, false)];
    const isOpen = toggled.has(key) === isFolded;
    const head: ViewRow = {
      kind: 'group',
      key,
      value,
      name: names.get(key) ?? value,
      facts: toGroupFacts(rows),
      isOpen,
    };
    return isOpen ? [head, ...rows.map((row) => toExperimentLine(row, true))] : [head];
  });
}

export const toFlatRows = (rows: readonly ExperimentRow[]): readonly ViewRow[] =>
  rows.map((row) => toExperimentLine(row, false));

/** The part of a list between two places, both included, in either order: what a press with Shift selects. */
export function toSpan<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
}
