// A box whose content grows at its end: it stays at the end until the reader scrolls up, and then nothing moves.
// The box is laid out from its end (`flex-direction: column-reverse`), so the browser keeps the place by itself:
// no scrolling by script, which would cost a second frame for each one in which text arrives.
import { useEffect, useRef, useState, type RefObject } from 'react';

interface StickToBottom {
  /** The scrolling box; offset 0 is its end, further up is negative. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True once the reader has scrolled up. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
}

export function useStickToBottom(): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const element = box.current;
    const onScroll = (): void => setAway((element?.scrollTop ?? 0) < -1);
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => element?.removeEventListener('scroll', onScroll);
  }, []);

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    // Where the browser does not anchor scrolled content by itself (Safari), growth at the end is made up for.
    if (!isAway || !element || !inner || CSS.supports('overflow-anchor', 'auto')) return undefined;
    let height = inner.offsetHeight;
    const grown = new ResizeObserver(() => {
      element.scrollTop -= inner.offsetHeight - height;
      height = inner.offsetHeight;
    });
    grown.observe(inner);
    return () => grown.disconnect();
  }, [isAway]);

  const toEnd = (): void => {
    if (box.current) box.current.scrollTop = 0;
  };
  return { box, content, isAway, toEnd };
}
