import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useRef, type ReactNode } from 'react';
import type { MenuItem } from './menuItem.ts';
import { MenuPopup } from './MenuPopup.tsx';
import { MenuTrigger } from './MenuTrigger.tsx';

interface MenuBodyProps {
  label: string;
  icon?: ReactNode;
  items: readonly MenuItem[];
  /** Opened by a key: the first item gets the focus. */
  isByKeyboard: boolean;
}

/** Trigger and pop-up of a Menu. It starts open, because the opening press loads this code. */
export function MenuBody({ label, icon, items, isByKeyboard }: MenuBodyProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current) return;
    isOpened.current = true;
    // Replaces the pressed button and takes over its focus.
    trigger.current?.focus();
    // A list that starts open marks no item; a click without a pointer marks the first.
    if (isByKeyboard) trigger.current?.click();
  }, [isByKeyboard]);
  return (
    <Base.Root defaultOpen={!isByKeyboard}>
      <Base.Trigger ref={trigger} render={<MenuTrigger label={label} icon={icon} />} />
      <MenuPopup items={items} />
    </Base.Root>
  );
}
