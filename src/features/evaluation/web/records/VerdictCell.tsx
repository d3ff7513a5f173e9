import type { Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { formatCount } from '#ui/kit/format.ts';
import { RateBar } from '#features/evaluation/web/RateBar.tsx';
import { toAgreementText, toDifferenceText, toRateText, toRateTitle, toScoreDifferenceText } from './recordWords.ts';

type Scored = Pick<Scores['models'][number], 'rate' | 'difference'> &
  Partial<Pick<Scores['models'][number]['by_check'][number], 'agreement' | 'score'>>;

interface VerdictCellProps {
  scored: Scored | undefined;
  /** How many comparisons its p value is corrected for. */
  comparisons: number;
  /** Shows the rows that got worse or better; undefined: here they are not shown. */
  onChanges?: (change: 'regressed' | 'improved') => void;
}

const TONES = { better: 'text-success', worse: 'text-error', undecided: 'text-soft' } as const;
const LINK = 'min-h-6 rounded text-left underline decoration-line-strong underline-offset-2 hover:text-ink';

/** A pass rate with its interval, and the difference from the baseline on the same rows. */
export function VerdictCell({ scored, comparisons, onChanges }: VerdictCellProps) {
  const text = scored && toRateText(scored.rate);
  if (!scored || text === null) return <span className="text-faint">not judged</span>;
  const { rate, difference, score } = scored;
  return (
    <span className="flex min-w-36 flex-col">
      <span title={toRateTitle(rate)}>{text}</span>
      <RateBar rate={rate} />
      {rate.not_checked > 0 && (
        <span className="text-xs text-warning">{formatCount(rate.not_checked)} not checked</span>
      )}
      {scored.agreement && <span className="text-xs text-soft">{toAgreementText(scored.agreement)}</span>}
      {difference && (
        <span className={`text-xs ${TONES[difference.verdict]}`}>{toDifferenceText(difference, comparisons)}</span>
      )}
      {score && <span className="text-xs text-soft">mean score {score.mean.toFixed(2)}</span>}
      {score?.difference && (
        <span className={`text-xs ${TONES[score.difference.verdict]}`}>
          {toScoreDifferenceText(score.difference, comparisons)}
        </span>
      )}
      {difference && onChanges && (
        <span className="flex gap-3 text-xs text-soft">
          <button type="button" className={LINK} onClick={() => onChanges('regressed')}>
            {formatCount(difference.regressed)} worse
          </button>
          <button type="button" className={LINK} onClick={() => onChanges('improved')}>
            {formatCount(difference.improved)} better
          </button>
        </span>
      )}
    </span>
  );
}
