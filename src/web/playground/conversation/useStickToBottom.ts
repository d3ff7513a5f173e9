// Keeps a scrolled box at its end while its content grows, until the reader scrolls up; then nothing moves. Measured:
// laying the box out from its end (column-reverse) needs no script, but makes each frame cost as much as the whole
// conversation is long.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Closer to the end than this is at the end, in pixels. */
const NEAR = 2;

interface StickToBottom {
  readonly box: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True once the reader has scrolled up. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
}

/**
 * To be called where the content is rendered. `isGrowing`: it changes with nearly every frame. `askKey`: names what was
 * asked for at the end, null while nothing is; a new one brings the reader to the end, wherever they were. `isBegun`:
 * what is there has an end to be at; an introduction is read from its start.
 */
export function useStickToBottom(isGrowing: boolean, askKey: string | null, isBegun = true): StickToBottom {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const element = box.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    let top = element.scrollTop;
    let height = element.scrollHeight;
    let view = element.clientHeight;
    const onScroll = (): void => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // Where the content or the box got smaller, the browser moved what is seen. Scripts only ever scroll down here:
      // upwards, by however little, is the reader.
      const isMoved = element.scrollHeight < height || element.clientHeight !== view;
      if (isAtEnd) isStuck.current = true;
      else if (isBegun && isMoved && isStuck.current) element.scrollTop = element.scrollHeight;
      else if (element.scrollTop < top) isStuck.current = false;
      top = element.scrollTop;
      height = element.scrollHeight;
      view = element.clientHeight;
      setAway(!isStuck.current);
    };
    const release = (): void => {
      isStuck.current = false;
    };
    // For what changes heights without new content: a resized panel, code that loads late. While an answer grows the
    // content is left out: it would cost a second layout per frame.
    const resized = new ResizeObserver(() => {
      if (isBegun && isStuck.current) element.scrollTop = element.scrollHeight;
    });
    resized.observe(element);
    if (!isGrowing) resized.observe(inner);
    element.addEventListener('scroll', onScroll, { passive: true });
    // What is unfolded must not jump away from under the pointer.
    element.addEventListener('toggle', release, true);
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('toggle', release, true);
    };
  }, [isBegun, isGrowing]);

  useLayoutEffect(() => {
    if (askKey !== null || !isBegun) isStuck.current = true;
  }, [askKey, isBegun]);

  // Before the frame's own layout, so that new text and its place are painted together.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isBegun && isStuck.current) element.scrollTop = element.scrollHeight;
  });

  const toEnd = (): void => {
    isStuck.current = true;
    setAway(false);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  return { box, content, isAway, toEnd };
}
