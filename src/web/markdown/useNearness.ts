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
  /** Far again when it leaves; else near once is near for good. */
  readonly isFleeting: boolean;
  /** False: not yet to be found out. */
  readonly isWanted?: boolean;
}

/** So far beyond the scroller's edges is near: what is scrolled to is there before it is seen. */
const MARGIN = '1200px 0px';

/**
 * By the boxes' parent: asking for styles while an answer grows has the browser work them out once more than it must.
 */
const scrollers = new WeakMap<Element, Element>();

function findScroller(element: Element): Element | null {
  const { parentElement } = element;
  const known = parentElement && scrollers.get(parentElement);
  if (known?.isConnected) return known;
  for (let parent = parentElement; parent; parent = parent.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(parent).overflowY)) continue;
    if (parentElement) scrollers.set(parentElement, parent);
    return parent;
  }
  return null;
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
    const onChange = (entries: readonly IntersectionObserverEntry[]): void => {
      const entry = entries.at(-1);
      if (!entry) return;
      const { height } = entry.boundingClientRect;
      setState((old) => {
        if (entry.isIntersecting) return old.isNear ? old : { ...old, isNear: true };
        return old.isNear && isFleeting ? { isNear: false, height } : old;
      });
    };
    const observer = new IntersectionObserver(onChange, { root: findScroller(element), rootMargin: MARGIN });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isWatched, isFleeting]);

  // What it shows from now on is decided while rendering, so that nothing is painted in between.
  if (isDue && !isFleeting && !state.isNear) setState((old) => ({ ...old, isNear: true }));
  return state;
}
