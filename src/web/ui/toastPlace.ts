// Where toasts stand: above what a person needs at the lower edge of the page. Pure.

/** Of an element that toasts must not cover, in pixels from the window's upper left corner. */
export interface KeptClear {
  readonly top: number;
  readonly right: number;
  readonly height: number;
}

/** The attribute of such elements. */
export const KEPT_CLEAR = '[data-keep-clear]';

const LEAST = 144;
const GAP = 8;
/** The region's width with its distance from the window's edge. */
const REACH = 336;
/** Share of the window above which toasts go no higher: an element that begins higher is covered in part. */
const HIGHEST = 0.7;

/** Pixels between the lower edges of the toasts and of the window. */
export function toToastBottom(kept: readonly KeptClear[], width: number, height: number): number {
  const near = kept.filter((element) => element.height > 0 && element.right > width - REACH);
  const tops = near.map(({ top }) => top).filter((top) => top < height && height - top < height * HIGHEST);
  return Math.max(LEAST, ...tops.map((top) => Math.ceil(height - top) + GAP));
}
