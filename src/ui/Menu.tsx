import type { ReactNode } from 'react';
import { MenuTrigger } from './MenuTrigger';
import { useLate } from './useLate';

interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  disabledReason?: string | null;
  /** Given: the item is one of a set, and this one is (not) chosen. */
  isChecked?: boolean;
}

interface MenuProps {
  label: string;
  /** Without an icon the trigger shows the label. */
  icon?: ReactNode;
  items: readonly MenuItem[];
}

/** A button that opens a list of actions. The pop-up machinery is a third of the first view's code: it comes when reached for. */
export function Menu(props: MenuProps) {
  const { code, trigger } = useLate(() => import('./MenuBody'));
  return code ? <code.MenuBody {...props} /> : <MenuTrigger label={props.label} icon={props.icon} {...trigger} />;
}
