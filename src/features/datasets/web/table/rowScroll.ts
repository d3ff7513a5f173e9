// Which rows of a long table are on screen. Browsers draw no element that is higher than about 33 million pixels, and a million
// rows are: beyond a limit the scroll bar stands for the place among all rows, and small moves still move by pixels. Pure.

/** Pixels of the scrolled content: below the limit of every browser. */
const MAX_HEIGHT = 8_000_000;

export interface ScrollFrame {
  readonly count: number;
  readonly rowHeight: number;
  /** Pixels that show rows. */
  readonly height: number;
}

export interface ScrollPlace {
  /** The row at the upper edge, with the part of it that is hidden: 3.5 is the middle of row 3. */
  readonly top: number;
  /** The scroll position of the element that gave it. */
  readonly scroll: number;
}

/** Pixels of the scrolled content. */
export const toContentHeight = ({ count, rowHeight }: ScrollFrame): number => Math.min(MAX_HEIGHT, count * rowHeight);

/** The last row that can be at the upper edge. */
export const toLastTop = ({ count, rowHeight, height }: ScrollFrame): number => Math.max(0, count - height / rowHeight);

const toMaxScroll = (frame: ScrollFrame): number => Math.max(0, toContentHeight(frame) - frame.height);

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The scroll position at which a row is at the upper edge. */
export function toScroll(frame: ScrollFrame, top: number): number {
  const last = toLastTop(frame);
  return last === 0 ? 0 : (clamp(top, last) / last) * toMaxScroll(frame);
}

/** The place after the element was scrolled to `scroll`. */
export function reduceScroll(frame: ScrollFrame, place: ScrollPlace, scroll: number): ScrollPlace {
  const [last, most] = [toLastTop(frame), toMaxScroll(frame)];
  const moved = scroll - place.scroll;
  // Wheel, keys and touch move by less than two screens; the scroll bar jumps. At the ends there is one answer.
  const isSmall = Math.abs(moved) <= 2 * frame.height && scroll > 0 && scroll < most;
  if (frame.count * frame.rowHeight <= MAX_HEIGHT) return { top: clamp(scroll / frame.rowHeight, last), scroll };
  const top = isSmall ? place.top + moved / frame.rowHeight : (scroll / most) * last;
  return { top: clamp(top, last), scroll };
}

/** The rows to draw: from the first to before the second. */
export function toVisible(frame: ScrollFrame, top: number): readonly [number, number] {
  const from = Math.max(0, Math.floor(top));
  return [from, Math.min(frame.count, Math.ceil(top + frame.height / frame.rowHeight) + 1)];
}

/** Where the upper edge has to be so that a row is on screen as a whole. */
export function toShownTop(frame: ScrollFrame, top: number, row: number): number {
  const rows = frame.height / frame.rowHeight;
  if (row < top) return row;
  return row + 1 > top + rows ? Math.min(toLastTop(frame), row + 1 - rows) : top;
}
