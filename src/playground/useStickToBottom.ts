// Keeps a scrolled box at its end while its content grows, until the reader scrolls up.
// It must not know what the content is.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Closer to the end than this counts as at the end, in pixels. */
const NEAR = 24;

interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True once the reader has scrolled up. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
}

/** To be called where the content is rendered. `isGrowing`: it changes with nearly every frame. */
export function useStickToBottom(isGrowing: boolean): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = (): void => {
    const element = box.current;
    if (!element) return;
    isStuck.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  };

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    const onScroll = (): void => {
      isStuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      setAway(!isStuck.current);
    };
    // For what changes height without new content: a resized panel, a table that was folded. While an answer grows
    // this would cost a second layout pass per frame.
    const resized = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    resized.observe(element);
    if (!isGrowing) resized.observe(inner);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, [isGrowing]);

  // Before this frame's layout, so that the new text and its place are painted together.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isStuck.current) element.scrollTop = element.scrollHeight;
  });

  return { box, content, isAway, toEnd };
}
