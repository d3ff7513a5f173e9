import { useEffect, type RefObject } from 'react';

const isInField = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Keys in lower case that act wherever the focus is in an element. In a field only Escape does: it leaves the field. */
export function useKeys(box: RefObject<HTMLElement | null>, keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const element = box.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isInField(event)) {
        if (event.key !== 'Escape') return;
        element?.focus();
      } else {
        const act = keys[event.key.toLowerCase()];
        if (!act) return;
        act();
      }
      event.preventDefault();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  });
}
