// Which rows are drawn, and where the view has to scroll. Pure arithmetic on row numbers and pixels.

/** Height of a row in pixels. The list positions rows by it; the keyboard derives the length of a page from it. */
export const ROW_HEIGHT = 30;

/** Rows drawn above and below the view, and the step in which the drawn part moves. */
const MARGIN = 4;
const STEP = 4;
/** Pixels of space below the last row. */
export const FOOT = 8;

export interface RowWindow {
  readonly from: number;
  /** The first row after the drawn ones. */
  readonly to: number;
}

/**
 * The first row to draw at this scroll position. It changes once in STEP rows, so that most scrolling draws nothing.
 */
export function firstDrawn(scrollTop: number): number {
  return Math.max(0, Math.floor((scrollTop / ROW_HEIGHT - MARGIN) / STEP) * STEP);
}

/** The rows drawn from `first` on, in a view of `height` pixels. */
export function toRowWindow(first: number, height: number, count: number): RowWindow {
  const length = Math.ceil(height / ROW_HEIGHT) + 2 * MARGIN + STEP;
  const from = Math.max(0, Math.min(first, count - length));
  return { from, to: Math.min(count, from + length) };
}

/** The scroll position that shows the row with the least movement. */
export function scrollTopFor(row: number, scrollTop: number, height: number): number {
  const top = row * ROW_HEIGHT;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + ROW_HEIGHT - height);
}

/** The top of the view: a row's key, and how far the view has scrolled past the row's upper edge. */
export interface Anchor {
  readonly key: string;
  readonly past: number;
}

export const anchorRow = (scrollTop: number): number => Math.floor(scrollTop / ROW_HEIGHT);

/** The scroll position that puts the anchor's row back where it was. */
export function scrollTopOf(row: number, past: number): number {
  return Math.max(0, row * ROW_HEIGHT + past);
}
