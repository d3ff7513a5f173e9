import { Eraser, Plus } from 'lucide-react';
import { MAX_MODELS } from '../session/urlState';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { useDesk } from './deskStore';
import { suggestModel, type TunedModel } from './modelOptions';
import { toModels } from './panes';
import { useActions } from './playgroundActions';

interface PlaygroundHeaderProps {
  tuned: readonly TunedModel[];
}

export function PlaygroundHeader({ tuned }: PlaygroundHeaderProps) {
  const { clearConversations, openPane } = useActions();
  const isEmpty = useDesk(({ desk }) => desk.panes.every((pane) => pane.turns.length === 0));
  const isFull = useDesk(({ desk }) => desk.panes.length >= MAX_MODELS);
  const add = () => openPane(suggestModel(tuned, toModels(useDesk.getState().desk)));
  return (
    <header className="flex h-11 shrink-0 items-center gap-1.5 border-b border-line px-3">
      <h2 className="min-w-0 flex-1 truncate text-lg font-semibold">Playground</h2>
      <IconButton
        label="Clear conversation"
        icon={<Eraser aria-hidden size={15} />}
        onClick={clearConversations}
        disabledReason={isEmpty ? 'nothing has been said yet' : null}
      />
      <Button onClick={add} disabledReason={isFull ? `There can be ${MAX_MODELS} panes at most.` : null} aria-label="Add pane">
        <Plus aria-hidden size={14} /> Pane
      </Button>
    </header>
  );
}
