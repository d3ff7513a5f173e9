// Sizes of the table and the places of its sticky columns. Pure.
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';

export const ROW_HEIGHT = 32;
export const HEAD_HEIGHT = 34;
export const CHECK_WIDTH = 36;

export interface TableColumn {
  readonly column: ExperimentColumn;
  /** Distance from the left edge of a sticky column; null: the column scrolls. */
  readonly left: number | null;
  readonly isLastPinned: boolean;
  /** Takes the spare room. */
  readonly isWide: boolean;
}

export interface TableLayout {
  readonly columns: readonly TableColumn[];
  /** In a narrower box the table scrolls sideways. */
  readonly minWidth: number;
  /** Of the checkboxes and the sticky columns: a head with the focus must scroll out from behind them. */
  readonly pinnedWidth: number;
}

/** Pinned columns are sticky side by side, after the checkboxes. The last column takes the spare room. */
export function toTableLayout(columns: readonly ExperimentColumn[], pinnedCount: number): TableLayout {
  let left = CHECK_WIDTH;
  const placed = columns.map((column, place): TableColumn => {
    const isPinned = place < pinnedCount;
    const stickyLeft = isPinned ? left : null;
    left += column.width;
    return { column, left: stickyLeft, isLastPinned: place === pinnedCount - 1, isWide: place === columns.length - 1 };
  });
  const pinnedWidth = columns.slice(0, pinnedCount).reduce((sum, { width }) => sum + width, CHECK_WIDTH);
  return { columns: placed, minWidth: left, pinnedWidth };
}

const MIN_HEIGHT = 256;
/** Borders, and a scroll bar below the rows. */
const EXTRA_HEIGHT = 16;

/** The table's box is at most as high as its rows, and at least as high as a few of them. */
export function toTableHeight(rowCount: number): { readonly minHeight: number; readonly maxHeight: number } {
  const fullHeight = HEAD_HEIGHT + rowCount * ROW_HEIGHT + EXTRA_HEIGHT;
  return { minHeight: Math.min(MIN_HEIGHT, fullHeight), maxHeight: fullHeight };
}

export interface RowPlaces {
  /** Consecutive rows, placed in the flow. */
  readonly run: readonly number[];
  /** The active row where it is away from the run: it must stay rendered. */
  readonly detached: number | null;
}

/** Splits the places to render (ascending) into a run and, where it is away from the run, the active row. */
export function toRowPlaces(places: readonly number[], active: number): RowPlaces {
  const others = places.filter((place) => place !== active);
  const [first, last] = [others[0], others.at(-1)];
  const isAway = first === undefined || last === undefined ? false : active < first - 1 || active > last + 1;
  return isAway && places.includes(active) ? { run: others, detached: active } : { run: places, detached: null };
}
