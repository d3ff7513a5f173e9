// Sizes of the table and where its sticky columns stand. Pure.
import type { ExperimentColumn } from '#web/experiments/rows/column.ts';

export const ROW_HEIGHT = 32;
export const HEAD_HEIGHT = 34;
export const CHECK_WIDTH = 36;

export interface TableColumn {
  readonly column: ExperimentColumn;
  /** Distance from the left edge where it sticks; null: it scrolls. */
  readonly left: number | null;
  readonly isLastPinned: boolean;
  /** Takes the room that is left over. */
  readonly isWide: boolean;
}

export interface TableLayout {
  readonly columns: readonly TableColumn[];
  /** Below this the table scrolls sideways. */
  readonly minWidth: number;
  /**
   * What sticks at the left edge, the checkboxes included: a head behind it that takes the focus has to be scrolled
   * out.
   */
  readonly pinnedWidth: number;
}

/** Pinned columns stick one beside the other, after the checkboxes; the last column that scrolls takes spare room. */
export function toTableLayout(columns: readonly ExperimentColumn[], pinnedCount: number): TableLayout {
  let left = CHECK_WIDTH;
  const placed = columns.map((column, place): TableColumn => {
    const isPinned = place < pinnedCount;
    const own = isPinned ? left : null;
    left += column.width;
    return { column, left: own, isLastPinned: place === pinnedCount - 1, isWide: place === columns.length - 1 };
  });
  const pinnedWidth = columns.slice(0, pinnedCount).reduce((sum, { width }) => sum + width, CHECK_WIDTH);
  return { columns: placed, minWidth: left, pinnedWidth };
}

const LEAST_HEIGHT = 256;
/** Borders, and a scroll bar beneath the rows. */
const AROUND = 16;

/** The table's box is no higher than its rows, and no lower than a few of them however little room there is. */
export function toTableHeight(rowCount: number): { readonly minHeight: number; readonly maxHeight: number } {
  const whole = HEAD_HEIGHT + rowCount * ROW_HEIGHT + AROUND;
  return { minHeight: Math.min(LEAST_HEIGHT, whole), maxHeight: whole };
}

export interface RowPlaces {
  /** Rows that follow each other; they stand in the flow. */
  readonly run: readonly number[];
  /** A row away from the run, which has to stay in the page. */
  readonly alone: number | null;
}

/**
 * Splits the places to draw, in order, into the run around most of them and the active row where it is away from it.
 */
export function toRowPlaces(places: readonly number[], active: number): RowPlaces {
  const without = places.filter((place) => place !== active);
  const [first, last] = [without[0], without.at(-1)];
  const isAway = first === undefined || last === undefined ? false : active < first - 1 || active > last + 1;
  return isAway && places.includes(active) ? { run: without, alone: active } : { run: places, alone: null };
}
