import { BookMarked, Eraser, Keyboard, ListPlus, MessagesSquare, Share2, SquarePen, Undo2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { MenuBody } from '#ui/lazy/MenuBody.tsx';
import { openDialog } from '#features/playground/web/desk/dialogStore.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { isFull } from '#features/playground/web/desk/panes.ts';
import { clearConversations, reopenClosed } from '#features/playground/web/desk/actions.ts';

interface PlaygroundMenuBodyProps extends Omit<ComponentProps<typeof MenuBody>, 'items'> {
  /** Begins a new session. */
  onNew: () => void;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

export function PlaygroundMenuBody({ onNew, ...menu }: PlaygroundMenuBodyProps) {
  const closed = useDesk(({ desk }) => desk.parked[0]?.model);
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const isEmpty = useDesk(({ desk }) => desk.panes.every((pane) => pane.turns.length === 0));
  return (
    <MenuBody
      {...menu}
      items={[
        { label: 'New session', icon: <SquarePen {...ICON} />, onSelect: onNew },
        { label: 'Sessions', icon: <MessagesSquare {...ICON} />, onSelect: () => openDialog('sessions') },
        { label: 'Presets', icon: <BookMarked {...ICON} />, onSelect: () => openDialog('presets') },
        { label: 'Share', icon: <Share2 {...ICON} />, onSelect: () => openDialog('share') },
        { label: 'Training examples', icon: <ListPlus {...ICON} />, onSelect: () => openDialog('examples') },
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
        { label: 'Keyboard shortcuts', icon: <Keyboard {...ICON} />, onSelect: () => runCommand('shortcuts') },
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
