// Shows an element in the top layer, positioned at its field.
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { toListPlace } from './listPlace.ts';

function place(element: HTMLElement, anchor: Element): void {
  const field = anchor.getBoundingClientRect();
  // Measures the natural height.
  element.style.maxHeight = '';
  element.style.minWidth = `${field.width}px`;
  const list = { width: element.offsetWidth, height: element.offsetHeight };
  const { left, top, bottom, maxHeight } = toListPlace(field, list, {
    width: window.innerWidth,
    height: window.innerHeight,
  });
  element.style.left = `${left}px`;
  element.style.top = top === null ? 'auto' : `${top}px`;
  element.style.bottom = bottom === null ? 'auto' : `${bottom}px`;
  element.style.maxHeight = `${maxHeight}px`;
}

/** A ref for an element with `popover="manual"` and `position: fixed`, placed below or above the anchor. */
export function useListPopup(anchor: RefObject<Element | null>): RefObject<HTMLDivElement | null> {
  const popup = useRef<HTMLDivElement>(null);
  // Runs after each render, because the content and so the size may change.
  useLayoutEffect(() => {
    const element = popup.current;
    if (!element || !anchor.current) return;
    // In the top layer no panel clips it, and no ancestor's containment moves it.
    if (!element.matches(':popover-open')) element.showPopover();
    place(element, anchor.current);
  });
  useLayoutEffect(() => {
    const follow = (event: Event) => {
      const element = popup.current;
      const isOwnScroll = event.target instanceof Node && element?.contains(event.target);
      if (element && anchor.current && !isOwnScroll) place(element, anchor.current);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('resize', follow, { signal });
    window.addEventListener('scroll', follow, { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [anchor]);
  return popup;
}
