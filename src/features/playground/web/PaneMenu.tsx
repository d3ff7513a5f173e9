import { EllipsisVertical } from 'lucide-react';
import { MenuTrigger } from '#ui/lazy/MenuTrigger.tsx';
import { useLazyCode } from '#ui/lazy/useLazyCode.ts';

interface PaneMenuProps {
  paneId: string;
  index: number;
  count: number;
}

/** The less frequent actions on a pane. Their code loads when the pointer or the focus reaches the button. */
export function PaneMenu(props: PaneMenuProps) {
  const { code, isByKeyboard, trigger } = useLazyCode(() => import('./PaneMenuBody.tsx'));
  const button = { label: 'Pane menu', icon: <EllipsisVertical aria-hidden size={14} /> };
  return code ? (
    <code.PaneMenuBody {...props} {...button} isByKeyboard={isByKeyboard} />
  ) : (
    <MenuTrigger {...button} {...trigger} />
  );
}
