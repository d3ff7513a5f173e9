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

export type Slot =
  | { readonly kind: 'column'; readonly index: number }
  /** Room of columns that are not rendered. */
  | { readonly kind: 'gap'; readonly index: number; readonly width: number };

/** The rendered columns (ascending, of `count`) and the gaps between and around them. */
export function toSlots(drawn: readonly number[], count: number, column: number): readonly Slot[] {
  const slots: Slot[] = [];
  let next = 0;
  for (const index of [...drawn, count]) {
    if (index > next) slots.push({ kind: 'gap', index: next, width: (index - next) * column });
    if (index < count) slots.push({ kind: 'column', index });
    next = index + 1;
  }
  return slots;
}

/** The column of the rows' names. */
export const NAMES = -1;
