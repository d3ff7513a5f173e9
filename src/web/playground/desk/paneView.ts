// Which panes of a strip that scrolls are wholly in view. Pure.

interface Box {
  /** From the strip's beginning. */
  readonly left: number;
  readonly width: number;
}

export interface PanesInView {
  /** Places of the first and the last pane that is wholly in view; the one most of which is, where none is wholly. */
  readonly first: number;
  readonly last: number;
}

/** Widths are no whole pixels. */
const SLACK = 2;

/** Null: all are in view, or there is none. */
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
