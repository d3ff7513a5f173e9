import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { MenuTrigger } from './MenuTrigger';
import { takeFocus } from './takeFocus';

interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  disabledReason?: string | null;
  isChecked?: boolean;
}

interface MenuBodyProps {
  label: string;
  icon?: ReactNode;
  items: readonly MenuItem[];
}

const ITEM =
  'flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-accent-soft data-disabled:text-faint';

/** Trigger and pop-up of a Menu; open at first, because the press that opens it is what brings this code. */
export function MenuBody({ label, icon, items }: MenuBodyProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger ref={takeFocus} render={<MenuTrigger label={label} icon={icon} />} />
      {/* Inside the page's landmark, so that readers who move by landmarks find it. */}
      <Base.Portal container={document.querySelector('main')}>
        <Base.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Base.Popup className="max-h-(--available-height) max-w-96 min-w-40 overflow-y-auto rounded-lg border border-line2 bg-surface p-1 shadow-pop outline-none">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                disabled={typeof item.disabledReason === 'string'}
                // Only where it is set: an undefined role would take away Base UI's own.
                {...(item.isChecked !== undefined && { role: 'menuitemradio', 'aria-checked': item.isChecked })}
                onClick={item.onSelect}
                className={ITEM}
              >
                {item.isChecked !== undefined && (
                  <span className="w-3.5 shrink-0 text-accent">{item.isChecked && <Check aria-hidden size={13} />}</span>
                )}
                {item.icon !== undefined && <span className="w-3.5 shrink-0 text-faint">{item.icon}</span>}
                <span className="min-w-0">
                  {item.label}
                  {typeof item.disabledReason === 'string' && <span className="block text-sm">{item.disabledReason}</span>}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
