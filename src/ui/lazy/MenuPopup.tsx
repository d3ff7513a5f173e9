import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { MenuItem } from './menuItem.ts';

interface MenuPopupProps {
  items: readonly MenuItem[];
  /** If set, the list is positioned at this element instead of its button. */
  anchor?: ComponentProps<typeof Base.Positioner>['anchor'];
  align?: 'start' | 'end';
  /** Where the focus goes on close, if not to the button. */
  finalFocus?: () => HTMLElement | null;
  /** Names a list without a button. */
  label?: string;
}

const ITEM =
  'flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 outline-none ' +
  'data-highlighted:bg-accent-soft data-disabled:text-faint';

/** The open list of a menu. */
export function MenuPopup({ items, anchor, align = 'end', finalFocus, label }: MenuPopupProps) {
  return (
    // Inside the page's landmark, so that screen readers find it.
    <Base.Portal container={document.querySelector('main')}>
      <Base.Positioner sideOffset={4} align={align} collisionPadding={8} className="z-40" {...(anchor && { anchor })}>
        <Base.Popup
          {...(finalFocus && { finalFocus })}
          {...(label !== undefined && { 'aria-label': label })}
          onContextMenu={(event) => event.preventDefault()}
          className={
            'max-h-(--available-height) max-w-96 min-w-40 overflow-y-auto rounded-lg border border-line-strong ' +
            'bg-surface p-1 shadow-pop outline-none'
          }
        >
          {items.map((item) => (
            <Base.Item
              key={item.label}
              disabled={typeof item.disabledReason === 'string'}
              // Set only if needed: an undefined role would remove Base UI's own.
              {...(item.isChecked !== undefined && { role: 'menuitemradio', 'aria-checked': item.isChecked })}
              onClick={item.onSelect}
              className={`${ITEM} ${item.isApart ? 'relative mt-2 before:absolute before:inset-x-1 before:-top-1 before:h-px before:bg-line' : ''}`}
            >
              {item.isChecked !== undefined && (
                <span className="w-3.5 shrink-0 text-accent">{item.isChecked && <Check aria-hidden size={13} />}</span>
              )}
              {item.icon !== undefined && <span className="w-3.5 shrink-0 text-faint">{item.icon}</span>}
              <span className="min-w-0">
                {item.label}
                {typeof item.disabledReason === 'string' && (
                  <span className="block text-sm">{item.disabledReason}</span>
                )}
              </span>
            </Base.Item>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
