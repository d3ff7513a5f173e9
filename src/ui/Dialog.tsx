import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-canvas/70" />
        <Base.Popup className="fixed top-1/2 left-1/2 z-30 flex max-h-[85vh] w-[min(44rem,calc(100vw-2rem))] -translate-1/2 flex-col rounded-xl border border-line2 bg-surface shadow-pop outline-none">
          <div className="flex items-center gap-2 border-b border-line px-4 py-2.5">
            <Base.Title className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="flex size-7 items-center justify-center rounded-md text-soft hover:bg-off-soft hover:text-ink"
            >
              <X aria-hidden size={15} />
            </Base.Close>
          </div>
          <div className="min-h-0 overflow-y-auto p-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
