import { useId, useMemo, useState } from 'react';
import { toDistinctLines } from '#features/evaluation/shared/distinctStarts.ts';
import { Button } from '#ui/kit/Button.tsx';
import { BUSY_REASON, isBusy, panePhase, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { chooseVersion } from '#features/playground/web/desk/turnActions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { toRetryLabel, unfinishedSamples } from '#features/playground/web/desk/sampleRetry.ts';
import { toSampleText, type SampleSet } from '#features/playground/web/desk/samples.ts';

interface SamplesViewProps {
  paneId: string;
  turn: AnswerTurn;
  samples: SampleSet;
}

/** How far the samples agree, with a list of the distinct answers. Pressing an answer shows it. */
export function SamplesView({ paneId, turn, samples }: SamplesViewProps) {
  const ask = useRunAction();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { groups, place, total } = samples;
  const lines = useMemo(() => (isOpen ? toDistinctLines(groups.map(({ text }) => text)) : []), [isOpen, groups]);
  const missing = unfinishedSamples(turn).length;
  const busyReason = usePane(paneId, (pane) => (isBusy(panePhase(pane)) ? BUSY_REASON : null)) ?? null;
  const seed = turn.versions[turn.shown]?.seed ?? null;
  return (
    <fieldset aria-label="Samples" className="min-w-0 mx-3 mb-1.5 rounded-lg border border-line bg-raised text-sm">
      <div className="flex min-h-7 items-center gap-x-2.5 px-2.5 text-soft tabular-nums">
        <p className="min-w-0 flex-1 py-1">
          <b className="font-semibold text-ink">{toSampleText(samples)}</b>{' '}
          <span className="inline-block">
            sample {place} of {total}
            {seed !== null && ` · seed ${seed}`}
          </span>
        </p>
        {missing > 0 && (
          <Button
            size="small"
            onClick={() => void ask((actions, mode) => actions.retrySamples(mode, paneId, turn.id))}
            disabledReason={busyReason}
          >
            {toRetryLabel(missing)}
          </Button>
        )}
        {groups.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="min-h-6 shrink-0 rounded px-1 whitespace-nowrap text-accent hover:underline"
          >
            {isOpen ? 'hide answers' : 'compare answers'}
          </button>
        )}
      </div>
      <ul
        id={id}
        aria-label="Distinct answers"
        hidden={!isOpen}
        className="max-h-60 overflow-y-auto border-t border-line px-1 py-1"
      >
        {isOpen &&
          groups.map(({ text, count, version, isShown }, at) => (
            <li key={version}>
              <button
                type="button"
                aria-current={isShown || undefined}
                onClick={() => chooseVersion(paneId, turn.id, version)}
                className={
                  'flex min-h-7 w-full items-baseline gap-2 rounded-md px-1.5 text-left hover:bg-neutral-soft ' +
                  'aria-current:bg-selected'
                }
              >
                <b className="shrink-0 font-semibold tabular-nums">{count} ×</b>
                <span title={text} className="min-w-0 flex-1 py-0.5 [overflow-wrap:anywhere]">
                  {lines[at] || 'empty answer'}
                </span>
              </button>
            </li>
          ))}
      </ul>
    </fieldset>
  );
}
