import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useRef, type ReactNode } from 'react';
import type { MenuItem } from './menuItem.ts';
import { MenuPopup } from './MenuPopup.tsx';
import { MenuTrigger } from './MenuTrigger.tsx';

interface MenuBodyProps {
  label: string;
  icon?: ReactNode;
  items: readonly MenuItem[];
  /** It is opened by a key: its first item has the focus then. */
  isByKeyboard: boolean;
}

/** Trigger and pop-up of a Menu; open at first, because the press that opens it is what brings this code. */
export function MenuBody({ label, icon, items, isByKeyboard }: MenuBodyProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current) return;
    isOpened.current = true;
    // It replaces the button that was pressed: the focus goes on in it.
    trigger.current?.focus();
    // What opens of itself marks no item; what is clicked without a pointer marks the first.
    if (isByKeyboard) trigger.current?.click();
  }, [isByKeyboard]);
  return (
    <Base.Root defaultOpen={!isByKeyboard}>
      <Base.Trigger ref={trigger} render={<MenuTrigger label={label} icon={icon} />} />
      <MenuPopup items={items} />
    </Base.Root>
  );
}
