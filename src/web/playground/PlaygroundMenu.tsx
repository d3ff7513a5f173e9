import {
  BookMarked,
  EllipsisVertical,
  Eraser,
  Keyboard,
  ListPlus,
  MessagesSquare,
  Share2,
  SquarePen,
  Undo2,
} from 'lucide-react';
import { PLAYGROUND_COMMANDS, runCommand, useCommands } from '#web/session/commands.ts';
import { Menu } from '#web/ui/lazy/Menu.tsx';
import { openDialog } from '#web/playground/desk/dialogStore.ts';
import { useDesk } from '#web/playground/desk/deskStore.ts';
import { startSession } from '#web/playground/sessions/lazyActions.ts';
import { focusMessage } from '#web/playground/conversation/messageField.ts';
import { focusNextPane } from '#web/playground/desk/paneFocus.ts';
import { isFull } from '#web/playground/desk/panes.ts';
import { useActions } from '#web/playground/asking/playgroundActions.ts';

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** What is done less often than running, and what keys and the palette ask of the playground. */
export function PlaygroundMenu() {
  const { clearConversations, reopenClosed } = useActions();
  const closed = useDesk(({ desk }) => desk.parked[0]?.model);
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const isEmpty = useDesk(({ desk }) => desk.panes.every((pane) => pane.turns.length === 0));
  const startNew = () => void startSession().then(focusMessage);
  useCommands(PLAYGROUND_COMMANDS, (command) => {
    if (command === 'new-session') startNew();
    else if (command === 'focus-message') focusMessage();
    else if (command === 'next-pane') focusNextPane();
    else openDialog(command);
  });
  return (
    <Menu
      label="Playground menu"
      icon={<EllipsisVertical aria-hidden size={15} />}
      items={[
        { label: 'New session', icon: <SquarePen {...ICON} />, onSelect: startNew },
        { label: 'Sessions', icon: <MessagesSquare {...ICON} />, onSelect: () => openDialog('sessions') },
        { label: 'Presets', icon: <BookMarked {...ICON} />, onSelect: () => openDialog('presets') },
        { label: 'Share', icon: <Share2 {...ICON} />, onSelect: () => openDialog('share') },
        { label: 'Training examples', icon: <ListPlus {...ICON} />, onSelect: () => openDialog('examples') },
        {
          label: 'Reopen closed pane',
          icon: <Undo2 {...ICON} />,
          onSelect: reopenClosed,
          disabledReason:
            closed === undefined ? 'No pane was closed.' : isCrowded ? 'There is no room for another pane.' : null,
        },
        { label: 'Keyboard shortcuts', icon: <Keyboard {...ICON} />, onSelect: () => runCommand('shortcuts') },
        {
          label: 'Clear conversation',
          icon: <Eraser {...ICON} />,
          onSelect: () => clearConversations(),
          disabledReason: isEmpty ? 'Nothing has been said yet.' : null,
        },
      ]}
    />
  );
}
