import { BookMarked, Eraser, Keyboard, ListPlus, MessagesSquare, Share2, SquarePen, Undo2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { COMMANDS, runCommand, type CommandName } from '#ui/commands/commands.ts';
import { MenuBody } from '#ui/lazy/MenuBody.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { isFull } from '#features/playground/web/desk/panes.ts';
import { clearConversations, reopenClosed } from '#features/playground/web/desk/actions.ts';

const ICON = { 'aria-hidden': true, size: 13 } as const;

const toItem = (name: CommandName, icon: ReactNode) => ({
  label: COMMANDS[name].label,
  icon,
  onSelect: () => runCommand(name),
});

export function PlaygroundMenuBody(menu: Omit<ComponentProps<typeof MenuBody>, 'items'>) {
  const closed = useDesk(({ desk }) => desk.parked[0]?.model);
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const isEmpty = useDesk(({ desk }) => desk.panes.every((pane) => pane.turns.length === 0));
  return (
    <MenuBody
      {...menu}
      items={[
        toItem('new-session', <SquarePen {...ICON} />),
        toItem('sessions', <MessagesSquare {...ICON} />),
        toItem('presets', <BookMarked {...ICON} />),
        toItem('share', <Share2 {...ICON} />),
        toItem('examples', <ListPlus {...ICON} />),
        {
          label: 'Reopen closed pane',
          icon: <Undo2 {...ICON} />,
          onSelect: reopenClosed,
          disabledReason:
            closed === undefined
              ? 'No pane was closed.'
              : isCrowded
                ? `There can be ${MAX_MODELS} panes at most.`
                : null,
        },
        toItem('shortcuts', <Keyboard {...ICON} />),
        {
          label: 'Clear conversation',
          icon: <Eraser {...ICON} />,
          onSelect: () => clearConversations(),
          disabledReason: isEmpty ? 'There are no messages yet.' : null,
        },
      ]}
    />
  );
}
