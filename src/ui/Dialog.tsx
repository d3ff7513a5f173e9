import { X } from 'lucide-react';
import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus, makes the page behind inert and gives the focus back. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
  }, [isOpen]);
  // Pressed, not clicked: a selection of text that ends outside is no wish to leave.
  const onMouseDown = (event: MouseEvent) => {
    if (event.target === event.currentTarget) onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Escape closes the element first; when we closed it, there is nothing to tell.
      onClose={() => isOpen && onClose()}
      onMouseDown={onMouseDown}
      className="m-auto max-h-[85vh] w-[min(44rem,calc(100vw-2rem))] flex-col rounded-xl border border-line2 bg-surface text-ink shadow-pop backdrop:bg-canvas/70 open:flex"
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 id={id} className="min-w-0 flex-1 truncate text-lg font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="flex size-7 items-center justify-center rounded-md text-soft hover:bg-off-soft hover:text-ink"
        >
          <X aria-hidden size={15} />
        </button>
      </div>
      <div className="min-h-0 overflow-y-auto p-4">{isOpen && children}</div>
    </dialog>
  );
}
