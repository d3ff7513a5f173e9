import { Plus, RotateCw } from 'lucide-react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useIdle } from '#ui/lazy/useIdle.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { suggestModel, type TunedModel } from '#features/playground/web/desk/modelOptions.ts';
import { isFull, toModels } from '#features/playground/web/desk/panes.ts';
import { openPane } from '#features/playground/web/desk/actions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { ExampleChip } from './ExampleChip.tsx';
import { PlaygroundMenu } from './PlaygroundMenu.tsx';
import { ShareButton } from './ShareButton.tsx';
import { isRetryable } from '#features/playground/web/desk/sampleRetry.ts';
import { SessionButton } from '#features/playground/web/sessions/SessionButton.tsx';
import type { PlaygroundView } from '#features/playground/web/desk/viewChoice.ts';

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
        <span className="mr-auto ml-1 flex rounded-md bg-off-soft p-0.5">
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
