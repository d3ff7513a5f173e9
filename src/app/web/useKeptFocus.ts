// Restores the focus when its view is replaced.
import { useEffect, useRef } from 'react';
import { NODE_NAME_ID } from '#app/web/layout/nodeWords.ts';

/**
 * If the focused element was removed with its view, the focus moves to the selected node's name, not to the top of the
 * page.
 */
export function useKeptFocus(place: string): void {
  const last = useRef<EventTarget | null>(null);
  const known = useRef(place);
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => void (last.current = target);
    document.addEventListener('focusin', onFocusIn);
    return () => document.removeEventListener('focusin', onFocusIn);
  }, []);
  useEffect(() => {
    if (known.current === place) return undefined;
    known.current = place;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body || !(last.current instanceof Node) || last.current.isConnected)
        return;
      document.getElementById(NODE_NAME_ID)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [place]);
}
