import {
  ArrowLeft,
  ArrowRight,
  BookMarked,
  Code,
  CopyPlus,
  Diff,
  EllipsisVertical,
  Eraser,
  Maximize2,
  Minimize2,
  Play,
  RotateCw,
  X,
} from 'lucide-react';
import { MAX_MODELS } from '#web/session/urlState.ts';
import { Button } from '#web/ui/Button.tsx';
import { ComboBox } from '#web/ui/fields/ComboBox.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { Menu } from '#web/ui/lazy/Menu.tsx';
import { isBusy, NO_MODEL_REASON, panePhase } from '#web/playground/desk/desk.ts';
import { openDialog } from '#web/playground/desk/dialogStore.ts';
import { usePane } from '#web/playground/desk/deskStore.ts';
import { choosePaneDiff, useDiffChoice } from '#web/playground/conversation/diffChoice.ts';
import type { ModelOption } from '#web/playground/desk/modelOptions.ts';
import { dragProps, dropProps } from './paneDrag.ts';
import { focusClosedPlace } from '#web/playground/desk/paneFocus.ts';
import { hasOpenMessage, paneObstacle } from '#web/playground/desk/paneRequest.ts';
import { useActions } from '#web/playground/asking/playgroundActions.ts';
import { QuietNote } from './QuietNote.tsx';
import { countUnfinished, toRetryLabel } from '#web/playground/desk/sampleRetry.ts';

interface PaneHeaderProps {
  paneId: string;
  index: number;
  count: number;
  options: readonly ModelOption[];
  isFocused: boolean;
  onFocus: (isFocused: boolean) => void;
}

/** The same colours as in the plot and the tables. */
const SERIES = ['bg-s1', 'bg-s2', 'bg-s3', 'bg-s4', 'bg-s5', 'bg-s6', 'bg-s7', 'bg-s8'];

/** A narrow pane keeps its room for the model's name: panes are told apart by it. */
const WORD = '@max-md:hidden';
const ICON = { 'aria-hidden': true, size: 13 } as const;

export function PaneHeader({ paneId, index, count, options, isFocused, onFocus }: PaneHeaderProps) {
  const { askWaiting, clearConversations, fork, removePane, retryPane, runPane, setModel, placePane, stopPane } =
    useActions();
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const phase = usePane(paneId, panePhase) ?? 'idle';
  const isEmpty = usePane(paneId, (pane) => pane.turns.length === 0) ?? true;
  const obstacle = usePane(paneId, (pane, desk) => paneObstacle(desk, pane)) ?? null;
  const isAsked = usePane(paneId, (pane) => pane.turns.at(-1)?.role === 'user' && hasOpenMessage(pane)) ?? false;
  const missing = usePane(paneId, countUnfinished) ?? 0;
  const retryLabel = toRetryLabel(missing);
  const isCrowded = count >= MAX_MODELS;
  const isDiffed = useDiffChoice(({ panes }) => panes.includes(paneId));
  return (
    <div className="@container shrink-0 border-b border-line" {...dropProps((dropped) => placePane(dropped, index))}>
      <div className="flex min-h-10 items-center gap-0.5 px-1.5">
        <span
          aria-hidden
          title={count > 1 ? 'Drag to move this pane' : undefined}
          className={`flex h-7 w-5 shrink-0 items-center justify-center ${count > 1 ? 'cursor-grab' : ''}`}
          {...(count > 1 && dragProps(paneId))}
        >
          <i className={`keeps-color size-2 rounded-[2px] ${SERIES[index % SERIES.length] ?? ''}`} />
        </span>
        {count > 1 && (
          <span className="mr-1 shrink-0 text-sm text-soft">
            {index + 1}
            <span className="hidden max-[900px]:inline">{` of ${count}`}</span>
          </span>
        )}
        <div className="flex min-w-0 flex-1">
          <ComboBox
            label="Model"
            isLabelHidden
            value={model}
            onChange={(next) => setModel(paneId, next)}
            options={options}
            placeholder="Choose or type a model"
          />
        </div>
        <div className="ml-auto flex shrink-0 items-center gap-0.5">
          {isAsked && !isBusy(phase) && (
            <Button
              size="small"
              onClick={() => void askWaiting(paneId)}
              disabledReason={model.trim() === '' ? NO_MODEL_REASON : null}
              aria-label="Ask this model too"
            >
              Ask
            </Button>
          )}
          {isBusy(phase) ? (
            <>
              <QuietNote paneId={paneId} />
              <Button size="small" onClick={() => stopPane(paneId)} aria-label="Stop" title="Stop">
                {/* A border is also there in forced colours. */}
                <i aria-hidden className="m-0.5 rounded-[1px] border-[4.5px] border-current @md:hidden" />{' '}
                <span className={WORD}>Stop</span>
              </Button>
            </>
          ) : (
            // A whole answer is asked for again where it stands.
            phase !== 'idle' &&
            (phase !== 'done' || missing > 0) && (
              <Button
                size="small"
                variant="quiet"
                onClick={() => void retryPane(paneId)}
                disabledReason={model.trim() === '' ? NO_MODEL_REASON : null}
                aria-label={retryLabel}
                title={retryLabel}
              >
                <RotateCw aria-hidden size={13} className="@md:hidden" /> <span className={WORD}>{retryLabel}</span>
              </Button>
            )
          )}
          <Menu
            label="Pane menu"
            icon={<EllipsisVertical aria-hidden size={14} />}
            items={[
              {
                label: 'Run here only',
                icon: <Play {...ICON} />,
                onSelect: () => void runPane(paneId),
                disabledReason: obstacle,
              },
              { label: 'Code', icon: <Code {...ICON} />, onSelect: () => openDialog('code', paneId) },
              { label: 'Presets', icon: <BookMarked {...ICON} />, onSelect: () => openDialog('presets', paneId) },
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
                disabledReason: index === 0 ? 'It is the first one.' : null,
              },
              {
                label: 'Move right',
                icon: <ArrowRight {...ICON} />,
                onSelect: () => placePane(paneId, index + 1),
                disabledReason: index === count - 1 ? 'It is the last one.' : null,
              },
              {
                label: 'Clear conversation',
                icon: <Eraser {...ICON} />,
                onSelect: () => clearConversations(paneId),
                disabledReason: isEmpty ? 'Nothing has been said yet.' : null,
              },
            ]}
          />
          {count > 1 && (
            <>
              <IconButton
                label={isFocused ? 'Show all panes' : 'Focus this pane'}
                icon={isFocused ? <Minimize2 aria-hidden size={13} /> : <Maximize2 aria-hidden size={13} />}
                onClick={() => onFocus(!isFocused)}
              />
              <IconButton
                label="Close pane"
                icon={<X aria-hidden size={14} />}
                onClick={() => (removePane(paneId), focusClosedPlace(index))}
              />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
