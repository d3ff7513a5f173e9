// Whether a box is near what its scroller shows, and how high it was when it was last laid out.
import { useEffect, useState, type RefObject } from 'react';

interface Nearness {
  readonly isNear: boolean;
  /** Pixels; null until known. */
  readonly height: number | null;
}

interface NearnessOptions {
  /** Near from the start, and for as long as this is true. */
  readonly isAlways: boolean;
  /** Near from the start as well; from then on only where nothing is fleeting. */
  readonly isDue: boolean;
  /** It stops being near when it leaves; otherwise it stays near for ever. */
  readonly isFleeting: boolean;
  /** False: don't measure yet. */
  readonly isWanted?: boolean;
}

/** Distance from the scroller's edges that counts as near, so that content is ready before it is seen. */
const MARGIN = '1200px 0px';

/**
 * Boxes on the way from a box to its scroller, by which it is found again: asking for styles has the browser work them
 * out.
 */
const scrollers = new WeakMap<Element, Element>();

function findScroller(element: Element): Element | null {
  const passed: Element[] = [];
  let scroller: Element | null = null;
  for (let parent = element.parentElement; parent && !scroller; parent = parent.parentElement) {
    const known = scrollers.get(parent);
    if (known?.contains(parent) === true) scroller = known;
    else if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) scroller = parent;
    else passed.push(parent);
  }
  if (scroller) for (const parent of passed) scrollers.set(parent, scroller);
  return scroller;
}

type OnEntry = (entry: IntersectionObserverEntry) => void;

interface Watch {
  readonly observer: IntersectionObserver;
  readonly boxes: Map<Element, OnEntry>;
}

/** One observer for all boxes of a scroller: each costs in every frame. */
const watches = new Map<Element | null, Watch>();

function openWatch(root: Element | null): Watch {
  const boxes = new Map<Element, OnEntry>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of new Map(entries.map((each) => [each.target, each])).values())
        boxes.get(entry.target)?.(entry);
    },
    { root, rootMargin: MARGIN },
  );
  return { observer, boxes };
}

/** Calls back now and whenever the box comes near or leaves. Returns a function that stops this. */
function watchBox(element: Element, onEntry: OnEntry): () => void {
  const root = findScroller(element);
  const watch = watches.get(root) ?? openWatch(root);
  watches.set(root, watch);
  watch.boxes.set(element, onEntry);
  watch.observer.observe(element);
  return () => {
    watch.boxes.delete(element);
    watch.observer.unobserve(element);
    if (watch.boxes.size > 0) return;
    watch.observer.disconnect();
    if (watches.get(root) === watch) watches.delete(root);
  };
}

export function useNearness(
  box: RefObject<HTMLElement | null>,
  { isAlways, isDue, isFleeting, isWanted = true }: NearnessOptions,
): Nearness {
  const [state, setState] = useState<Nearness>({ isNear: isAlways || isDue, height: null });
  const isWatched = isWanted && !isAlways && (isFleeting || !state.isNear);

  useEffect(() => {
    const element = box.current;
    if (!element || !isWatched) return undefined;
    return watchBox(element, ({ isIntersecting, boundingClientRect: { height } }) => {
      setState((old) => {
        if (isIntersecting) return old.isNear ? old : { ...old, isNear: true };
        return old.isNear && isFleeting ? { isNear: false, height } : old;
      });
    });
  }, [box, isWatched, isFleeting]);

  // What it shows from now on is decided while rendering, so that nothing is painted in between.
  if (isDue && !isFleeting && !state.isNear) setState((old) => ({ ...old, isNear: true }));
  return state;
}
