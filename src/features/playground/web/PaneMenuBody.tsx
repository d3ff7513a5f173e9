import { ArrowLeft, ArrowRight, BookMarked, Code, CopyPlus, Diff, Eraser, Play } from 'lucide-react';
import type { ComponentProps } from 'react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { MenuBody } from '#ui/lazy/MenuBody.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { choosePaneDiff, useDiffChoice } from '#features/playground/web/conversation/diffTargets.ts';
import { paneObstacle } from '#features/playground/web/desk/paneRequest.ts';
import { clearConversations, fork, placePane } from '#features/playground/web/desk/actions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';

interface PaneMenuBodyProps extends Omit<ComponentProps<typeof MenuBody>, 'items'> {
  paneId: string;
  index: number;
  count: number;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

export function PaneMenuBody({ paneId, index, count, ...menu }: PaneMenuBodyProps) {
  const ask = useRunAction();
  const isEmpty = usePane(paneId, (pane) => pane.turns.length === 0) ?? true;
  const obstacle = usePane(paneId, (pane, desk) => paneObstacle(desk, pane)) ?? null;
  const isCrowded = count >= MAX_MODELS;
  const isDiffed = useDiffChoice(({ panes }) => panes.includes(paneId));
  return (
    <MenuBody
      {...menu}
      items={[
        {
          label: 'Run here only',
          icon: <Play {...ICON} />,
          onSelect: () => void ask((actions, mode) => actions.runPane(mode, paneId)),
          disabledReason: obstacle,
        },
        { label: 'Code', icon: <Code {...ICON} />, onSelect: () => openDialog({ kind: 'code', paneId }) },
        { label: 'Presets', icon: <BookMarked {...ICON} />, onSelect: () => openDialog({ kind: 'presets', paneId }) },
        {
          label: 'Duplicate pane',
          icon: <CopyPlus {...ICON} />,
          onSelect: () => fork(paneId, null),
          disabledReason: isCrowded ? `There can be ${MAX_MODELS} panes at most.` : null,
        },
        ...(index > 0
          ? [
              {
                label: isDiffed ? 'Hide differences from pane 1' : 'Show differences from pane 1',
                icon: <Diff {...ICON} />,
                onSelect: () => choosePaneDiff(paneId, !isDiffed),
              },
            ]
          : []),
        {
          label: 'Move left',
          icon: <ArrowLeft {...ICON} />,
          onSelect: () => placePane(paneId, index - 1),
          disabledReason: index === 0 ? 'This is the first pane.' : null,
        },
        {
          label: 'Move right',
          icon: <ArrowRight {...ICON} />,
          onSelect: () => placePane(paneId, index + 1),
          disabledReason: index === count - 1 ? 'This is the last pane.' : null,
        },
        {
          label: 'Clear conversation',
          icon: <Eraser {...ICON} />,
          onSelect: () => clearConversations(paneId),
          disabledReason: isEmpty ? 'There are no messages yet.' : null,
        },
      ]}
    />
  );
}
