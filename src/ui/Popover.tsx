import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';

interface PopoverProps {
  /** Accessible name of the trigger and of what it opens. */
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}

export function Popover({ label, trigger, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger
        aria-label={label}
        title={label}
        className="inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border border-line2 bg-surface px-2 font-medium whitespace-nowrap hover:border-faint hover:bg-raised"
      >
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-40">
          <Base.Popup
            aria-label={label}
            className="max-h-(--available-height) max-w-[min(30rem,calc(100vw-1rem))] min-w-56 overflow-y-auto rounded-lg border border-line2 bg-surface p-3 shadow-pop outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
