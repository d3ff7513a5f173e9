import { EllipsisVertical } from 'lucide-react';
import { PLAYGROUND_COMMANDS, useCommands } from '#ui/commands/commands.ts';
import { MenuTrigger } from '#ui/lazy/MenuTrigger.tsx';
import { useLazyCode } from '#ui/lazy/useLazyCode.ts';
import { openDialog } from '#features/playground/web/desk/dialogStore.ts';
import { startSession } from '#features/playground/web/sessions/lazyActions.ts';
import { focusMessage } from '#features/playground/web/conversation/messageField.ts';
import { focusNextPane } from '#features/playground/web/desk/paneFocus.ts';

/**
 * The less frequent actions, whose code loads when the pointer or the focus reaches the button, and the commands of
 * keys and palette.
 */
export function PlaygroundMenu() {
  const { code, isByKeyboard, trigger } = useLazyCode(() => import('./PlaygroundMenuBody.tsx'));
  const startNew = () => void startSession().then(focusMessage);
  useCommands(PLAYGROUND_COMMANDS, (command) => {
    if (command === 'new-session') startNew();
    else if (command === 'focus-message') focusMessage();
    else if (command === 'next-pane') focusNextPane();
    else openDialog(command);
  });
  const button = { label: 'Playground menu', icon: <EllipsisVertical aria-hidden size={15} /> };
  return code ? (
    <code.PlaygroundMenuBody {...button} onNew={startNew} isByKeyboard={isByKeyboard} />
  ) : (
    <MenuTrigger {...button} {...trigger} />
  );
}
