import type { ReactNode } from 'react';
import type { MenuItem } from './menuItem.ts';
import { MenuTrigger } from './MenuTrigger.tsx';
import { useLazyCode } from './useLazyCode.ts';

interface MenuProps {
  label: string;
  /** Without an icon the trigger shows the label. */
  icon?: ReactNode;
  items: readonly MenuItem[];
}

/**
 * A button that opens a list of actions. The pop-up code is a third of the first view's code, so it loads on demand.
 */
export function Menu(props: MenuProps) {
  const { code, isByKeyboard, trigger } = useLazyCode(() => import('./MenuBody.tsx'));
  return code ? (
    <code.MenuBody {...props} isByKeyboard={isByKeyboard} />
  ) : (
    <MenuTrigger label={props.label} icon={props.icon} {...trigger} />
  );
}
