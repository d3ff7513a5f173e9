// Code that is not fetched before somebody reaches for it.
import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { showLoadError } from './loadErrors.ts';

export interface Late<T> {
  /** null until the trigger was pressed and the code has arrived. */
  readonly code: T | null;
  /** The press that brought it was a key's. */
  readonly isByKeyboard: boolean;
  /** For what is opened in another way than by its trigger. */
  readonly open: () => void;
  /** For the button that stands there before: hover and focus fetch the code, a press also waits for it. */
  readonly trigger: {
    readonly 'aria-expanded': false;
    readonly onPointerEnter: () => void;
    readonly onFocus: () => void;
    readonly onClick: (event: MouseEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/**
 * `load` is an `import()` of this project: the browser keeps what it has loaded, so that calling it again costs
 * nothing.
 */
export function useLazyCode<T extends object>(load: () => Promise<T>): Late<T> {
  const [late, setLate] = useState<{ readonly code: T | null; readonly isByKeyboard: boolean }>({
    code: null,
    isByKeyboard: false,
  });
  const prepare = () => {
    // Nothing was asked for yet, so there is nothing to say when it fails.
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
  // A click that a key makes has no count.
  const onClick = (event: MouseEvent) => want(event.detail === 0);
  return {
    ...late,
    open: () => want(false),
    trigger: { 'aria-expanded': false, onPointerEnter: prepare, onFocus: prepare, onClick, onKeyDown },
  };
}
