import { CutText } from '#ui/kit/CutText.tsx';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import { swatchClass } from '#ui/kit/series.ts';
import type { ColumnResult } from '#features/evaluation/web/grid/gridTally.ts';
import {
  toLeftOutText,
  toPairText,
  toPairTip,
  toResultText,
  type Comparison,
} from '#features/evaluation/web/grid/gridWords.ts';
import { DEFAULT_SENT } from '#features/evaluation/web/grid/sentSettings.ts';
import { Fragment, useId } from 'react';
import { RateBar } from './RateBar.tsx';
import { toFigureParts } from '#features/evaluation/web/grid/breakParts.ts';

interface FiguresProps {
  text: string;
}

/** Figures as text that breaks between facts. */
function Figures({ text }: FiguresProps) {
  return toFigureParts(text).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && ' '}
      <span className="inline-block">{part}</span>
    </Fragment>
  ));
}

const LINK =
  'min-h-6 rounded text-left text-xs font-normal text-soft underline decoration-line-strong underline-offset-2 ' +
  'hover:text-ink ' +
  'aria-disabled:cursor-not-allowed';

const TIPS = {
  evaluation: {
    usual:
      'Sends temperature 0 and the tools of each row, and nothing that is set in the chat. Click to send the pane’s ' +
      'settings instead.',
    chosen: 'Sends the settings of the pane. Click for neutral settings: temperature 0 and the tools of each row.',
  },
  prompts: {
    usual: 'The grid sends temperature 0, so you can reproduce the pass rate. Click to use the pane’s temperature.',
    chosen: 'The grid uses the pane’s temperature. Click to send temperature 0 instead.',
  },
} as const;

interface ColumnHeadProps {
  name: string;
  /** The column's name in exports: the model's id. */
  label: string;
  result: ColumnResult;
  /** null: this is the reference column, or no row was judged in both columns. */
  comparison: Comparison | null;
  /** Name of the reference column. */
  reference: string;
  series: number;
  /** "greedy", "neutral settings", or what a person chose instead. */
  settings: string;
  /** The column has the settings that the grid gives by itself. */
  isUsual: boolean;
  /** The rows are validation rows. */
  isEvaluation: boolean;
  /** Why the sampling can't be changed; null: it can. */
  samplingReason: string | null;
  onSampling: () => void;
  /** The table shows the rows that this column did not pass. */
  showsFailures: boolean;
  onFailures: () => void;
  /** One line: everything that is sent besides the prompt. */
  sent: string;
  onSent: () => void;
}

/**
 * A column's name and results: pass rate with its 95 % interval, comparison with the reference column on the same rows,
 * cells without an answer, mean time.
 */
export function ColumnHead({
  name,
  label,
  result,
  comparison,
  reference,
  series,
  settings,
  isUsual,
  isEvaluation,
  samplingReason,
  onSampling,
  showsFailures,
  onFailures,
  sent,
  onSent,
}: ColumnHeadProps) {
  const reasonId = useId();
  const { rate, meanMs } = result;
  const leftOut = toLeftOutText(result);
  const text = toResultText(result);
  const missed = rate.total - rate.passed;
  const facts = [
    ...(leftOut === null ? [] : [leftOut]),
    ...(meanMs === null ? [] : [`mean ${formatDuration(meanMs)}`]),
  ];
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="flex min-w-0 items-center gap-1.5">
        <span aria-hidden className={`size-2 shrink-0 rounded-sm ${swatchClass(series)}`} />
        <span
          title={name === label ? label : `${name}\n${label}`}
          className={`truncate text-sm ${name === label ? 'font-mono' : ''}`}
        >
          <CutText text={name} />
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-x-1.5">
        {text !== null && (
          <span
            className={`text-sm ${rate.rate === null ? 'font-normal text-warning' : ''}`}
            title={
              rate.rate === null ? 'No answer could be checked.' : `${text} passed, ${settings}, with the 95 % interval`
            }
          >
            <Figures text={text} />
          </span>
        )}
        <button
          type="button"
          aria-pressed={isUsual}
          aria-label={`${isEvaluation ? 'Neutral' : 'Greedy'}: ${settings}`}
          aria-disabled={samplingReason !== null || undefined}
          aria-describedby={samplingReason === null ? undefined : reasonId}
          data-tip={samplingReason ?? TIPS[isEvaluation ? 'evaluation' : 'prompts'][isUsual ? 'usual' : 'chosen']}
          onClick={samplingReason === null ? onSampling : undefined}
          className={`${LINK} ${isEvaluation && !isUsual ? 'text-warning!' : ''}`}
        >
          {settings}
        </button>
        {samplingReason !== null && (
          <span id={reasonId} hidden>
            {samplingReason}
          </span>
        )}
        {missed > 0 && (
          <button
            type="button"
            aria-pressed={showsFailures}
            data-tip={showsFailures ? 'Show all rows' : 'Show the rows that this column did not pass'}
            onClick={onFailures}
            className={`${LINK} text-error! aria-pressed:font-semibold`}
          >
            {formatCount(missed)} not passed
          </button>
        )}
      </span>
      <RateBar rate={rate} />
      {facts.length > 0 && (
        <span title={facts.join(' · ')} className="text-xs font-normal text-soft">
          <Figures text={facts.join(' · ')} />
        </span>
      )}
      {comparison && (
        <span
          title={`${toPairText(comparison)}. ${toPairTip(comparison, reference, name)}`}
          className="text-xs font-normal text-soft"
        >
          <Figures text={toPairText(comparison)} />
        </span>
      )}
      <button
        type="button"
        aria-label={`Sent: ${sent}`}
        aria-haspopup="dialog"
        data-tip={
          sent === DEFAULT_SENT
            ? 'Only the prompt is sent; the service’s default settings apply'
            : `Sent with the prompt: ${sent}`
        }
        onClick={onSent}
        className={`min-w-0 self-start max-w-full truncate ${LINK}`}
      >
        {sent}
      </button>
    </span>
  );
}
