// Keeps a scrolled box at its end while its content grows, until the reader scrolls up.
// It must not know what the content is.
import { useEffect, useRef, useState, type RefObject } from 'react';

/** Closer to the end than this counts as at the end, in pixels. */
const NEAR = 24;

interface StickToBottom {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True once the reader has scrolled up. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
}

export function useStickToBottom(): StickToBottom {
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
    // Observers run after layout: reading the height here costs nothing, and what is above never moves.
    const grown = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    grown.observe(inner);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      grown.disconnect();
    };
  }, []);

  return { box, content, isAway, toEnd };
}
