import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';

interface FilterPopoverProps {
  title: string;
  anchor: HTMLElement;
  onClose: () => void;
  children: ReactNode;
}

/** A small dialog beside the button that opened it; closing gives the focus back. */
export function FilterPopover({ title, anchor, onClose, children }: FilterPopoverProps) {
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal container={document.querySelector('main')}>
        <Popover.Positioner anchor={anchor} sideOffset={6} align="start" collisionPadding={8} className="z-40">
          <Popover.Popup
            finalFocus={() => anchor}
            className={
              'flex max-h-[min(24rem,var(--available-height))] max-w-80 min-w-56 flex-col overflow-hidden ' +
              'rounded-lg border border-line-strong bg-surface shadow-pop outline-none'
            }
          >
            <Popover.Title className="border-b border-line px-3 py-2 font-semibold">{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
