// Connects the items that are drawn with the scroll position of the box around them.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  isScaled,
  reduceScroll,
  toDrawn,
  toFirst,
  toScroll,
  toShownTop,
  toSlots,
  type ScrollFrame,
  type ScrollPlace,
  type Slots,
} from './scrollFrame.ts';

interface WindowInput {
  readonly box: HTMLElement | null;
  /** Columns instead of rows. */
  readonly isSideways?: boolean;
  readonly count: number;
  /** Pixels of an item: all have the same. */
  readonly size: number;
  /** Pixels of what stays in view before the items: heads, or names. */
  readonly before: number;
  /** Items that are drawn before and after those in view. */
  readonly margin?: number;
  /** The scroll position that the box begins with. */
  readonly start?: number;
  /** Drawn wherever the box is scrolled, because it has the focus; null: none. */
  readonly kept: number | null;
}

interface ScrollWindow extends Slots {
  readonly from: number;
  readonly to: number;
  /** Scrolls an item into view. */
  readonly show: (item: number) => void;
}

/** Once scrolling rests, the scroll bar of a scaled list stands where it belongs. */
const REST_MS = 150;

export function useScrollWindow({
  box,
  isSideways = false,
  count,
  size,
  before,
  margin = 4,
  start = 0,
  kept,
}: WindowInput): ScrollWindow {
  const [length, setLength] = useState(0);
  const [{ first, shift }, setDrawn] = useState({ first: toFirst(start / size, margin), shift: 0 });
  const place = useRef<ScrollPlace>({ top: start / size, scroll: start });
  const view = Math.max(0, length - before);
  const frame: ScrollFrame = { count, size, view };
  const latest = useRef(frame);
  const side = isSideways ? 'scrollLeft' : 'scrollTop';
  useLayoutEffect(() => {
    latest.current = frame;
  });
  const scrollTo = useCallback(
    (pixels: number) => box?.scrollTo(isSideways ? { left: pixels } : { top: pixels }),
    [box, isSideways],
  );
  const draw = useCallback(() => {
    const { top, scroll } = place.current;
    const next = { first: toFirst(top, margin), shift: isScaled(latest.current) ? scroll - top * size : 0 };
    setDrawn((last) => (last.first === next.first && last.shift === next.shift ? last : next));
  }, [size, margin]);
  useLayoutEffect(() => {
    if (!box) return undefined;
    const measure = () => setLength(isSideways ? box.clientWidth : box.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [box, isSideways]);
  // After fewer items the browser has scrolled back.
  useLayoutEffect(() => {
    if (!box) return;
    place.current = reduceScroll({ count, size, view }, place.current, box[side]);
    draw();
  }, [box, side, count, size, view, draw]);
  useEffect(() => {
    if (!box) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      const scroll = toScroll(latest.current, place.current.top);
      if (!isScaled(latest.current) || Math.abs(scroll - box[side]) < 2) return;
      scrollTo(scroll);
      place.current = { top: place.current.top, scroll: box[side] };
      draw();
    };
    const onScroll = () => {
      if (place.current.scroll === box[side]) return;
      place.current = reduceScroll(latest.current, place.current, box[side]);
      // The browser paints after this event: what comes into view has to be there.
      flushSync(draw);
      clearTimeout(timer);
      timer = setTimeout(settle, REST_MS);
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      box.removeEventListener('scroll', onScroll);
    };
  }, [box, side, draw, scrollTo]);
  const show = (item: number): void => {
    const top = toShownTop(latest.current, place.current.top, item);
    if (!box || top === place.current.top) return;
    scrollTo(toScroll(latest.current, top));
    // The browser rounds it; the event that follows must not count as a move.
    place.current = { top, scroll: box[side] };
    draw();
  };
  const [from, to] = toDrawn(frame, first, margin);
  const items = Array.from({ length: to - from }, (_, at) => from + at);
  const isAway = kept !== null && kept < count && (kept < from || kept >= to);
  return {
    from,
    to,
    show,
    ...toSlots(!isAway ? items : kept < from ? [kept, ...items] : [...items, kept], frame, shift),
  };
}
