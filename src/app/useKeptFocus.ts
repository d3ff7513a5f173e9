// Where the focus goes when the view that had it is replaced. It must not know which views there are.
import { useEffect, useRef } from 'react';
import { NODE_NAME_ID } from './nodeWords';

/** Where the view that had the focus was replaced by another one, keys go on from the selected node's name, not from the top of the page. */
export function useKeptFocus(place: string): void {
  const known = useRef(place);
  useEffect(() => {
    if (known.current === place) return undefined;
    known.current = place;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById(NODE_NAME_ID)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [place]);
}
