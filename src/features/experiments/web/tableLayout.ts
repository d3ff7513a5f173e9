// Sizes of the table, and the width and place of its cells, which are the same in heads and rows. Pure.
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

/** Pinned columns come first, side by side after the checkboxes, and are sticky. The last one takes the spare room. */
export function toTableLayout(
  columns: readonly ExperimentColumn[],
  shown: readonly string[],
  pinned: readonly string[],
): TableLayout {
  const isPinned = ({ id }: ExperimentColumn): boolean => pinned.includes(id);
  const visible = columns.filter(({ id }) => shown.includes(id));
  const ordered = [...visible.filter(isPinned), ...visible.filter((column) => !isPinned(column))];
  let left = CHECK_WIDTH;
  let pinnedWidth = CHECK_WIDTH;
  const placed = ordered.map((column, place): TableColumn => {
    const stickyLeft = isPinned(column) ? left : null;
    left += column.width;
    if (stickyLeft !== null) pinnedWidth = left;
    return {
      column,
      left: stickyLeft,
      isLastPinned: place === pinned.length - 1,
      isWide: place === ordered.length - 1,
    };
  });
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

/**
 * Pinned cells become sticky only once the table is scrolled sideways: a few hundred sticky cells cost as much of every
 * frame as all the rest.
 */
const STICKY = 'group-data-scrolled/table:sticky z-10 print:static!';
const EDGE = 'group-data-scrolled/table:shadow-[6px_0_6px_-5px_var(--shadow-tint)]';

export const CHECK_CELL = `${STICKY} left-0 flex w-9 shrink-0 items-center justify-center print:hidden`;

export function toCellClass({ left, isLastPinned, isWide }: TableColumn): string {
  const sticky = left === null ? '' : `${STICKY} ${isLastPinned ? EDGE : ''}`;
  return `${sticky} ${isWide ? 'grow' : ''} shrink-0 print:table-cell print:w-auto!`;
}

export const toCellStyle = ({ column, left }: TableColumn): { readonly width: number; readonly left?: number } =>
  left === null ? { width: column.width } : { width: column.width, left };
