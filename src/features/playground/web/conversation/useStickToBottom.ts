// Keeps a scroll box at its end while its content grows, until the reader scrolls up. Measured: a layout from the end
// (column-reverse) needs no script, but then the cost of each frame grows with the length of the conversation.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** A box that is closer to its end than this is at its end. In pixels. */
const NEAR = 2;

interface StickToBottom {
  readonly box: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True once the reader has scrolled up. */
  readonly isScrolledUp: boolean;
  readonly scrollToEnd: () => void;
}

/**
 * Call this in the component that renders the content. `isGrowing`: the content changes in nearly every frame.
 * `requestKey`: the key of the request that runs at the end, else null; a new key scrolls to the end, wherever the
 * reader is. `isEnabled`: false for an introduction, which is read from its start.
 */
export function useStickToBottom(isGrowing: boolean, requestKey: string | null, isEnabled = true): StickToBottom {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isScrolledUp, setScrolledUp] = useState(false);

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    let top = element.scrollTop;
    let height = element.scrollHeight;
    let view = element.clientHeight;
    const onScroll = (): void => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // The browser scrolls when the content or the box shrinks. Scripts here only scroll down, so any other scroll up,
      // however short, is the reader's.
      const isResized = element.scrollHeight < height || element.clientHeight !== view;
      if (isAtEnd) isStuck.current = true;
      else if (isEnabled && isResized && isStuck.current) element.scrollTop = element.scrollHeight;
      else if (element.scrollTop < top) isStuck.current = false;
      top = element.scrollTop;
      height = element.scrollHeight;
      view = element.clientHeight;
      setScrolledUp(!isStuck.current);
    };
    const release = (): void => {
      isStuck.current = false;
    };
    // Heights also change without new content: a resized panel, code that loads late. The content of a growing answer
    // is not observed: that would cost a second layout per frame.
    const resized = new ResizeObserver(() => {
      if (isEnabled && isStuck.current) element.scrollTop = element.scrollHeight;
    });
    resized.observe(element);
    if (!isGrowing) resized.observe(inner);
    element.addEventListener('scroll', onScroll, { passive: true });
    // An unfolded element must not jump away from under the pointer.
    element.addEventListener('toggle', release, true);
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('toggle', release, true);
    };
  }, [isEnabled, isGrowing]);

  useLayoutEffect(() => {
    if (requestKey !== null || !isEnabled) isStuck.current = true;
  }, [requestKey, isEnabled]);

  // Runs before the layout of the frame, so that new text and its scroll position are painted together.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isEnabled && isStuck.current) element.scrollTop = element.scrollHeight;
  });

  const scrollToEnd = (): void => {
    isStuck.current = true;
    setScrolledUp(false);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  return { box, content, isScrolledUp, scrollToEnd };
}
