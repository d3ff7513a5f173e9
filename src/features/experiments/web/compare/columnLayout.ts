// Widths of the compare's columns, and which of them stay in view. Pure geometry in whole pixels.

export interface ColumnLayout {
  /** Of the parameters' names, which are always in view. */
  readonly names: number;
  /** Of each candidate. */
  readonly column: number;
  /** Whether there is room to keep the baseline in view as well. */
  readonly isBaselineFixed: boolean;
}

const NARROW = 680;
const MIN_COLUMN = 152;
const MAX_COLUMN = 264;

/** `width`: of the box; `count`: candidates, the baseline included. */
export function toColumnLayout(width: number, count: number): ColumnLayout {
  const names = width < NARROW ? 150 : 204;
  const share = Math.floor((width - names) / Math.max(1, count));
  const column = Math.min(MAX_COLUMN, Math.max(MIN_COLUMN, share));
  return { names, column, isBaselineFixed: width >= names + column * 2 };
}

/** The column of the rows' names. */
export const NAMES = -1;
