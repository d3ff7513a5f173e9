import { MessagesSquare } from 'lucide-react';
import { openDialog } from '#ui/commands/dialogs.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { toDeskTitle } from '#features/playground/web/desk/sessionTitle.ts';

/** Shows the title of the current session and opens the list of sessions. */
export function SessionButton() {
  const name = useDesk(({ desk }) => toDeskTitle(desk));
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`Sessions, open: ${name}`}
      data-tip="Sessions"
      onClick={() => openDialog({ kind: 'sessions' })}
      className={
        'flex h-7 min-w-7 shrink-999 items-center gap-1.5 rounded-md px-1.5 text-soft hover:bg-off-soft ' +
        'hover:text-ink'
      }
    >
      <MessagesSquare aria-hidden size={15} className="shrink-0" />
      <span className="hidden max-w-56 truncate text-sm @xl:inline">{name}</span>
    </button>
  );
}
