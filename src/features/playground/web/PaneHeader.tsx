import { Maximize2, Minimize2, RotateCw, X } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { ComboBox } from '#ui/fields/ComboBox.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { isBusy, NO_MODEL_REASON, panePhase } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import type { ModelOption } from '#features/playground/web/desk/modelOptions.ts';
import { dragProps, dropProps } from './paneDrag.ts';
import { focusClosedPlace } from '#features/playground/web/desk/paneFocus.ts';
import { hasOpenMessage } from '#features/playground/web/desk/paneRequest.ts';
import { placePane, removePane, setModel, stopPane } from '#features/playground/web/desk/actions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { PaneMenu } from './PaneMenu.tsx';
import { countUnfinished, toRetryLabel } from '#features/playground/web/desk/sampleRetry.ts';
import { swatchClass } from '#ui/kit/series.ts';
import { useNow } from '#ui/kit/useNow.ts';
import { toQuietText } from './stalledStream.ts';
import { readLastArrivals } from '#features/playground/web/desk/runningAnswers.ts';

/** Beside Stop: for how long a running answer has received no data. */
function QuietNote({ paneId }: { paneId: string }) {
  const text = toQuietText(readLastArrivals(paneId), useNow(1000));
  if (text === null) return null;
  return (
    <span
      className="shrink-0 px-1 text-sm whitespace-nowrap text-warning"
      title="The answer continues when more text arrives. Stop keeps the text so far."
    >
      {text}
    </span>
  );
}

interface PaneHeaderProps {
  paneId: string;
  index: number;
  count: number;
  options: readonly ModelOption[];
  isFocused: boolean;
  onFocus: (isFocused: boolean) => void;
}

/** A narrow pane hides the text of its buttons, because the model's name needs the room. */
const WIDE_ONLY = '@max-md:hidden';

export function PaneHeader({ paneId, index, count, options, isFocused, onFocus }: PaneHeaderProps) {
  const ask = useRunAction();
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const phase = usePane(paneId, panePhase) ?? 'idle';
  const hasUnansweredMessage =
    usePane(paneId, (pane) => pane.turns.at(-1)?.role === 'user' && hasOpenMessage(pane)) ?? false;
  const unfinished = usePane(paneId, countUnfinished) ?? 0;
  const retryLabel = toRetryLabel(unfinished);
  return (
    <div className="@container shrink-0 border-b border-line" {...dropProps((dropped) => placePane(dropped, index))}>
      <div className="flex min-h-10 items-center gap-0.5 px-1.5">
        <span
          aria-hidden
          title={count > 1 ? 'Drag to move this pane' : undefined}
          className={`flex h-7 w-5 shrink-0 items-center justify-center ${count > 1 ? 'cursor-grab' : ''}`}
          {...(count > 1 && dragProps(paneId))}
        >
          <i className={`size-2 rounded-[2px] ${swatchClass(index)}`} />
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
          {hasUnansweredMessage && !isBusy(phase) && (
            <Button
              size="small"
              onClick={() => void ask((actions, mode) => actions.runWaitingMessage(mode, paneId))}
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
                {/* Forced colours keep a border. */}
                <i aria-hidden className="m-0.5 rounded-[1px] border-[4.5px] border-current @md:hidden" />{' '}
                <span className={WIDE_ONLY}>Stop</span>
              </Button>
            </>
          ) : (
            // The toolbar of a complete answer regenerates it.
            phase !== 'idle' &&
            (phase !== 'done' || unfinished > 0) && (
              <Button
                size="small"
                variant="quiet"
                onClick={() => void ask((actions, mode) => actions.retryPane(mode, paneId))}
                disabledReason={model.trim() === '' ? NO_MODEL_REASON : null}
                aria-label={retryLabel}
                title={retryLabel}
              >
                <RotateCw aria-hidden size={13} className="@md:hidden" />{' '}
                <span className={WIDE_ONLY}>{retryLabel}</span>
              </Button>
            )
          )}
          <PaneMenu paneId={paneId} index={index} count={count} />
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
