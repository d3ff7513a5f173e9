import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { readFocusTrail } from '#ui/lazy/focusTrail.ts';
import { FootSlot } from './footSlot.ts';
import { watchOpeningPress } from './openingPress.ts';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The browser restores the focus to the menu item that opened the dialog. That item is gone, but its button is not. */
function giveFocusBack(dialog: HTMLDialogElement, trail: readonly HTMLElement[]): void {
  const { activeElement, body } = document;
  if (activeElement === body || dialog.contains(activeElement))
    trail.findLast((element) => element.isConnected && !dialog.contains(element))?.focus();
}

/** The browser's modal dialog: it traps the focus, makes the page inert and restores the focus. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const trail = useRef<readonly HTMLElement[]>([]);
  const isLeaving = useRef(false);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === isOpen) return;
    if (!isOpen) return element.close();
    trail.current = readFocusTrail();
    element.showModal();
    // The browser would focus Close first; Enter after the click that opened the dialog would then close it.
    if (document.activeElement === closeButton.current) content.current?.focus();
    return undefined;
  }, [isOpen]);
  useLayoutEffect(() => {
    const element = dialog.current;
    // Removed while it is open, it would leave the focus nowhere. Closed first, it gives it back.
    return () => {
      if (!element?.open) return;
      // React's strict mode removes it for a moment. That is not a person who closes it.
      isLeaving.current = true;
      element.close();
      isLeaving.current = false;
      giveFocusBack(element, trail.current);
    };
  }, []);
  useEffect(() => {
    const element = dialog.current;
    if (!element || !isOpen) return undefined;
    const { isStray } = watchOpeningPress();
    const onPointer = (event: MouseEvent) => {
      if (!isStray(event.type, event.detail)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const types = ['mousedown', 'mouseup', 'click'] as const;
    for (const type of types) element.addEventListener(type, onPointer, { capture: true });
    return () => {
      for (const type of types) element.removeEventListener(type, onPointer, { capture: true });
    };
  }, [isOpen]);
  useEffect(() => {
    const element = dialog.current;
    // Checks the press, not the click: a text selection that ends outside must not close the dialog.
    const onPress = (event: MouseEvent) => event.target === element && onClose();
    element?.addEventListener('mousedown', onPress);
    return () => element?.removeEventListener('mousedown', onPress);
  }, [onClose]);
  const onClosed = (event: SyntheticEvent<HTMLDialogElement>) => {
    // React also bubbles events of a dialog inside this one. And it may be open again by now.
    if (event.target !== event.currentTarget || event.currentTarget.open || isLeaving.current) return;
    giveFocusBack(event.currentTarget, trail.current);
    // Escape closes the element first. If this code closed it, nobody has to be told.
    if (isOpen) onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClosed}
      className={
        'm-auto max-h-[85vh] w-[min(48rem,calc(100vw-2rem))] flex-col rounded-xl border border-line-strong bg-surface ' +
        'text-ink shadow-pop backdrop:bg-canvas/70 open:flex'
      }
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 id={id} className="min-w-0 flex-1 truncate text-lg font-semibold">
          {title}
        </h2>
        <button
          ref={closeButton}
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="flex size-7 items-center justify-center rounded-md text-soft hover:bg-neutral-soft hover:text-ink"
        >
          <X aria-hidden size={15} />
        </button>
      </div>
      <div ref={content} tabIndex={-1} className="relative min-h-0 overflow-y-auto p-4 outline-none">
        <FootSlot.Provider value={foot}>{isOpen && children}</FootSlot.Provider>
      </div>
      <div ref={setFoot} />
    </dialog>
  );
}
