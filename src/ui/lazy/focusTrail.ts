// The elements that had the focus last. A dialog gives the focus back to one of them, also where its code came later.

const KEPT = 8;
let trail: readonly HTMLElement[] = [];

/** Follows the focus from now on. Returns a function that stops. */
export function watchFocus(): () => void {
  const onFocusIn = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement) trail = [...trail.filter((element) => element.isConnected), target].slice(-KEPT);
  };
  document.addEventListener('focusin', onFocusIn);
  return () => document.removeEventListener('focusin', onFocusIn);
}

/** The newest last. */
export const readFocusTrail = (): readonly HTMLElement[] => trail;
