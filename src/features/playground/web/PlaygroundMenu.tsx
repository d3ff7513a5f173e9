import { EllipsisVertical } from 'lucide-react';
import { useCommands } from '#ui/commands/commands.ts';
import { MenuTrigger } from '#ui/lazy/MenuTrigger.tsx';
import { useLazyCode } from '#ui/lazy/useLazyCode.ts';
import { startSession } from '#features/playground/web/sessions/lazyActions.ts';
import { focusMessage, focusNextPane } from '#features/playground/web/desk/paneFocus.ts';

/**
 * The less frequent actions, whose code loads when the pointer or the focus reaches the button, and the commands of
 * keys and palette.
 */
export function PlaygroundMenu() {
  const { code, isByKeyboard, trigger } = useLazyCode(() => import('./PlaygroundMenuBody.tsx'));
  const startNew = () => void startSession().then(focusMessage);
  useCommands({ 'new-session': startNew, 'focus-message': focusMessage, 'next-pane': focusNextPane });
  const button = { label: 'Playground menu', icon: <EllipsisVertical aria-hidden size={15} /> };
  return code ? (
    <code.PlaygroundMenuBody {...button} isByKeyboard={isByKeyboard} />
  ) : (
    <MenuTrigger {...button} {...trigger} />
  );
}
