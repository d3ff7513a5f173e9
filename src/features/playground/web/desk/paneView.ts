// Finds the panes of the scrolling strip that are wholly in view. Pure.

interface Box {
  /** Offset from the start of the strip. */
  readonly left: number;
  readonly width: number;
}

export interface PanesInView {
  /** Indexes of the first and last pane wholly in view. If there is none: the pane with the largest visible part. */
  readonly first: number;
  readonly last: number;
}

/** Widths can be fractions of a pixel. */
const SLACK = 2;

/** Null: all panes are in view, or there is none. */
export function findPanesInView(panes: readonly Box[], scrolled: number, width: number): PanesInView | null {
  const shown = panes.map((pane) => Math.min(pane.left + pane.width, scrolled + width) - Math.max(pane.left, scrolled));
  const isWhole = (place: number): boolean => (shown[place] ?? 0) >= (panes[place]?.width ?? 0) - SLACK;
  const whole = [...panes.keys()].filter(isWhole);
  if (whole.length === panes.length) return null;
  const most = shown.indexOf(Math.max(...shown));
  return { first: whole[0] ?? most, last: whole.at(-1) ?? most };
}

/** "Panes 1–2 of 3". */
export const toPlaceText = ({ first, last }: PanesInView, count: number): string =>
  first === last ? `Pane ${first + 1} of ${count}` : `Panes ${first + 1}–${last + 1} of ${count}`;
