import { lazy, Suspense, useState, type ReactNode } from 'react';
import { MenuTrigger } from './MenuTrigger';

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

// The pop-up machinery is a third of the first view's code: the trigger stands at once, the rest follows.
const MenuBody = lazy(async () => {
  const { MenuBody: Body } = await import('./MenuBody');
  return { default: Body };
});

/** A button that opens a list of actions. */
export function Menu(props: MenuProps) {
  const [isAwaited, setAwaited] = useState(false);
  return (
    <Suspense fallback={<MenuTrigger label={props.label} icon={props.icon} onClick={() => setAwaited(true)} />}>
      <MenuBody {...props} isOpenAtFirst={isAwaited} />
    </Suspense>
  );
}
