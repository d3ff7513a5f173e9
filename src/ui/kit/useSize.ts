// The size of an element, kept up to date.
import { useCallback, useState, type RefCallback } from 'react';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const EMPTY: Size = { width: 0, height: 0 };

/** A ref to put on the element, and its content box in whole pixels; `guess` until it is mounted. */
export function useSize<T extends HTMLElement>(guess: Size = EMPTY): [RefCallback<T>, Size] {
  const [size, setSize] = useState(guess);
  const ref = useCallback((element: T | null) => {
    if (!element) return undefined;
    const measure = () => {
      const next = { width: element.clientWidth, height: element.clientHeight };
      setSize((last) => (last.width === next.width && last.height === next.height ? last : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
