// Code that loads on demand.
import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { showLoadError } from './loadErrors.ts';

export interface Late<T> {
  /** null until the trigger was pressed and the code has loaded. */
  readonly code: T | null;
  /** A key press opened it. */
  readonly isByKeyboard: boolean;
  /** For opening without the trigger. */
  readonly open: () => void;
  /** Props for the placeholder button: hover and focus load the code, a press also waits for it. */
  readonly trigger: {
    readonly 'aria-expanded': false;
    readonly onPointerEnter: () => void;
    readonly onFocus: () => void;
    readonly onClick: (event: MouseEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** `load` is an `import()` of this project. The browser caches it, so another call costs nothing. */
export function useLazyCode<T extends object>(load: () => Promise<T>): Late<T> {
  const [late, setLate] = useState<{ readonly code: T | null; readonly isByKeyboard: boolean }>({
    code: null,
    isByKeyboard: false,
  });
  const prepare = () => {
    // Nobody has asked yet, so a failure is silent.
    void load().catch(() => undefined);
  };
  const want = (isByKeyboard: boolean) => {
    void load().then((code) => setLate({ code, isByKeyboard }), showLoadError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    want(true);
  };
  // A click by key has the count 0.
  const onClick = (event: MouseEvent) => want(event.detail === 0);
  return {
    ...late,
    open: () => want(false),
    trigger: { 'aria-expanded': false, onPointerEnter: prepare, onFocus: prepare, onClick, onKeyDown },
  };
}
