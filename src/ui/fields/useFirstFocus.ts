import { useEffect, useId } from 'react';

/**
 * Gives the focus to a field when it appears, with its text selected: after a dialog around it, which takes the focus
 * when it opens. Returns the id for the field.
 */
export function useFirstFocus(): string {
  const id = useId();
  useEffect(
    () =>
      queueMicrotask(() => {
        const field = document.getElementById(id);
        field?.focus();
        if (field instanceof HTMLInputElement) field.select();
      }),
    [id],
  );
  return id;
}
