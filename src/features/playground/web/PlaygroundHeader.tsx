import { Plus, RotateCw, ListPlus, Share2, MessagesSquare } from 'lucide-react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useIdle } from '#ui/lazy/useIdle.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { suggestModel, type TunedModel } from '#features/playground/web/desk/modelOptions.ts';
import { isFull, toModels } from '#features/playground/web/desk/panes.ts';
import { openPane } from '#features/playground/web/desk/actions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { PlaygroundMenu } from './PlaygroundMenu.tsx';
import { isRetryable } from '#features/playground/web/desk/sampleRetry.ts';
import type { PlaygroundView } from '#features/playground/web/desk/viewChoice.ts';
import { useEffect } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { useTrainingRows, loadTrainingRows } from '#features/playground/web/sessions/trainingRows.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { toDeskTitle } from '#features/playground/web/desk/sessionTitle.ts';

/** Shows the title of the current session and opens the list of sessions. */
function SessionButton() {
  const name = useDesk(({ desk }) => toDeskTitle(desk));
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`Sessions, open: ${name}`}
      data-tip="Sessions"
      onClick={() => openDialog({ kind: 'sessions' })}
      className={
        'flex h-7 min-w-7 shrink-999 items-center gap-1.5 rounded-md px-1.5 text-soft hover:bg-neutral-soft ' +
        'hover:text-ink'
      }
    >
      <MessagesSquare aria-hidden size={15} className="shrink-0" />
      <span className="hidden max-w-56 truncate text-sm @xl:inline">{name}</span>
    </button>
  );
}

interface ShareButtonProps {
  dialog: 'share' | 'share-grid';
}

/** Opens the dialog with the link of this session, or of this grid. */
function ShareButton({ dialog }: ShareButtonProps) {
  return (
    <IconButton
      label="Share"
      icon={<Share2 aria-hidden size={14} />}
      aria-haspopup="dialog"
      onClick={() => openDialog({ kind: dialog })}
    />
  );
}

/** The number of collected training examples. Hidden while there are none. */
function ExampleChip() {
  const count = useTrainingRows(({ rows }) => rows?.length ?? 0);
  useEffect(() => void loadTrainingRows().catch(() => undefined), []);
  if (count === 0) return null;
  const name = `${formatCount(count)} training ${count === 1 ? 'example' : 'examples'}`;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={name}
      data-tip={name}
      onClick={() => openDialog({ kind: 'examples' })}
      className={
        'flex h-6 shrink-0 items-center gap-1 rounded-md bg-accent-soft px-1.5 text-sm font-medium text-accent ' +
        'tabular-nums'
      }
    >
      <ListPlus aria-hidden size={13} /> {formatCount(count)}
    </button>
  );
}

interface PlaygroundHeaderProps {
  tuned: readonly TunedModel[];
  view: PlaygroundView;
  onView: (view: PlaygroundView) => void;
}

const VIEWS = [
  { value: 'chat', label: 'Chat' },
  { value: 'grid', label: 'Grid' },
] as const;

export function PlaygroundHeader({ tuned, view, onView }: PlaygroundHeaderProps) {
  const isChat = view === 'chat';
  const ask = useRunAction();
  const failed = useDesk(({ desk }) => desk.panes.filter(isRetryable).length);
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const isIdle = useIdle();
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const add = () => openPane(suggestModel(tuned, toModels(useDesk.getState().desk)));
  return (
    <header className="@container shrink-0 border-b border-line">
      <div className="flex h-11 items-center gap-1.5 px-3">
        <h2 className="min-w-0 overflow-hidden text-lg whitespace-nowrap font-semibold @max-sm:sr-only">Playground</h2>
        <span className="mr-auto ml-1 flex rounded-md bg-neutral-soft p-0.5">
          {VIEWS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={view === value}
              onClick={() => onView(value)}
              className={
                'h-6 rounded px-2 text-sm text-soft hover:text-ink aria-pressed:bg-surface ' +
                'aria-pressed:font-medium aria-pressed:text-ink'
              }
            >
              {label}
            </button>
          ))}
        </span>
        {isChat && failed > 0 && (
          <Button
            onClick={() => void ask((actions, mode) => actions.retryFailed(mode))}
            aria-label={`Retry ${failed} failed`}
          >
            <RotateCw aria-hidden size={13} /> <span className="@max-lg:hidden">Retry</span> {failed}{' '}
            <span className="@max-lg:hidden">failed</span>
          </Button>
        )}
        {isLoaded && isIdle && <ExampleChip />}
        <SessionButton />
        <ShareButton dialog={isChat ? 'share' : 'share-grid'} />
        {isChat && (
          <Button
            onClick={add}
            disabledReason={isCrowded ? `There can be ${MAX_MODELS} panes at most.` : null}
            aria-label="Add pane"
          >
            <Plus aria-hidden size={14} /> Pane
          </Button>
        )}
        <PlaygroundMenu />
      </div>
    </header>
  );
}
