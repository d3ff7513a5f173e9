// Which items of a long list are on screen: rows of a table, or its columns. Browsers draw no element that is longer than
// about 33 million pixels, and a million rows are: beyond a limit the scroll bar stands for the place among all items, and
// small moves still move by pixels. Pure.

/** Pixels of the scrolled content: below the limit of every browser. */
const MAX_LENGTH = 8_000_000;
/** The drawn part moves in steps of so many items, so that most scrolling draws nothing. */
const STEP = 2;

export interface ScrollFrame {
  readonly count: number;
  /** Pixels of an item. */
  readonly size: number;
  /** Pixels that show items. */
  readonly view: number;
}

export interface ScrollPlace {
  /** The item at the upper edge, with the part of it that is hidden: 3.5 is the middle of item 3. */
  readonly top: number;
  /** The scroll position of the element that gave it. */
  readonly scroll: number;
}

/** Pixels of the scrolled content. */
export const toLength = ({ count, size }: ScrollFrame): number => Math.min(MAX_LENGTH, count * size);

/** The scroll bar does not stand for pixels. */
export const isScaled = ({ count, size }: ScrollFrame): boolean => count * size > MAX_LENGTH;

/** The last item that can be at the upper edge. */
export const toLastTop = ({ count, size, view }: ScrollFrame): number => Math.max(0, count - view / size);

const toMaxScroll = (frame: ScrollFrame): number => Math.max(0, toLength(frame) - frame.view);

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The scroll position at which an item is at the upper edge. */
export function toScroll(frame: ScrollFrame, top: number): number {
  const last = toLastTop(frame);
  return last === 0 ? 0 : (clamp(top, last) / last) * toMaxScroll(frame);
}

/** The place after the element was scrolled to `scroll`. */
export function reduceScroll(frame: ScrollFrame, place: ScrollPlace, scroll: number): ScrollPlace {
  const [last, most] = [toLastTop(frame), toMaxScroll(frame)];
  const moved = scroll - place.scroll;
  // Wheel, keys and touch move by less than two screens; the scroll bar jumps. At the ends there is one answer.
  const isSmall = Math.abs(moved) <= 2 * frame.view && scroll > 0 && scroll < most;
  if (!isScaled(frame)) return { top: clamp(scroll / frame.size, last), scroll };
  const top = isSmall ? place.top + moved / frame.size : (scroll / most) * last;
  return { top: clamp(top, last), scroll };
}

/** Where the upper edge has to be so that an item is on screen as a whole. */
export function toShownTop(frame: ScrollFrame, top: number, item: number): number {
  const shown = frame.view / frame.size;
  if (item < top) return item;
  return item + 1 > top + shown ? Math.min(toLastTop(frame), item + 1 - shown) : top;
}

/** The first item to draw, `margin` items before the view. */
export const toFirst = (top: number, margin: number): number => Math.max(0, Math.floor((top - margin) / STEP) * STEP);

/** The items to draw: from the first to before the second. */
export function toDrawn({ count, size, view }: ScrollFrame, first: number, margin: number): readonly [number, number] {
  const length = Math.ceil(view / size) + 2 * margin + STEP;
  const from = Math.max(0, Math.min(first, count - length));
  return [from, Math.min(count, from + length)];
}

export interface Slots {
  /** The drawn items in their order, each with the pixels of those between the last one and it. */
  readonly slots: readonly { readonly item: number; readonly gap: number }[];
  /** Pixels of the items after the last one. */
  readonly after: number;
}

/** The room of items that are not drawn. `shift`: pixels from an item's own place to where a scaled list has it. */
export function toSlots(items: readonly number[], frame: ScrollFrame, shift = 0): Slots {
  const length = toLength(frame);
  let end = 0;
  const slots = items.map((item) => {
    const gap = Math.max(0, Math.min(item * frame.size + shift, length - frame.size) - end);
    end += gap + frame.size;
    return { item, gap };
  });
  return { slots, after: Math.max(0, length - end) };
}
