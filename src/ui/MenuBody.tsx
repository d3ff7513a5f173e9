import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { MenuPopup } from './MenuPopup';
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

/** Trigger and pop-up of a Menu; open at first, because the press that opens it is what brings this code. */
export function MenuBody({ label, icon, items }: MenuBodyProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger ref={takeFocus} render={<MenuTrigger label={label} icon={icon} />} />
      <MenuPopup items={items} />
    </Base.Root>
  );
}
