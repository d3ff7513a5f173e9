// Keeps where a box was scrolled to, as long as the page lives: a tab that is left and opened again stands where it
// stood.
import { useLayoutEffect } from 'react';

interface Place {
  readonly top: number;
  readonly left: number;
}

const places = new Map<string, Place>();
const ACTS = ['wheel', 'pointerdown', 'keydown'] as const;

export const findKeptTop = (key: string): number => places.get(key)?.top ?? 0;

/** `element` is the box with its content as only child; what loads late is waited for, until somebody scrolls. */
export function useKeptScroll(element: HTMLElement | null, key: string): void {
  useLayoutEffect(() => {
    if (!element) return undefined;
    let wanted = places.get(key) ?? null;
    const settle = () => {
      wanted = null;
    };
    const restore = () => {
      if (!wanted) return;
      element.scrollTo(wanted.left, wanted.top);
      if (Math.abs(element.scrollTop - wanted.top) <= 1) settle();
    };
    const keep = () => {
      if (!wanted) places.set(key, { top: element.scrollTop, left: element.scrollLeft });
    };
    restore();
    const observer = new ResizeObserver(restore);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', keep, { passive: true });
    for (const act of ACTS) element.addEventListener(act, settle, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', keep);
      for (const act of ACTS) element.removeEventListener(act, settle);
    };
  }, [element, key]);
}
