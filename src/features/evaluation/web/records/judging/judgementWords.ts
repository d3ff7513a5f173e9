// What the page says of what people judged. Pure.
import { formatShare, toPercent } from '#core/contract/numberNotation.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

const toOdds = (strength: number): string => {
  const odds = Math.exp(strength);
  return odds >= 100 || odds < 0.01 ? odds.toPrecision(2) : odds.toFixed(2);
};

/** "0.43 to 1 (0.20–0.91)", from the logarithm of odds. */
export function toStrengthText({
  strength,
  low,
  high,
}: Pick<JudgementResults['pairs']['strengths'][number], 'strength' | 'low' | 'high'>): string {
  if (strength === null || low === null || high === null) return 'not known yet: judge more pairs';
  return `${toOdds(strength)} to 1 (${toOdds(low)}–${toOdds(high)})`;
}

type PairJudge = JudgementResults['judges'][number];

/** "60 % (45–73)"; null: no pair was judged. */
export const toWinRateText = ({
  win_rate: rate,
  low,
  high,
}: Pick<PairJudge['models'][number], 'win_rate' | 'low' | 'high'>) =>
  rate === null || low === null || high === null ? null : `${formatShare(rate)} (${toPercent(low)}–${toPercent(high)})`;

/** Why the win rates of a judge are none; null: they are. */
export function toPositionWarning({
  decides_by_position: isByPosition,
  models,
}: Pick<PairJudge, 'decides_by_position' | 'models'>): string | null {
  if (!isByPosition) return null;
  const flipped = models.reduce((sum, each) => sum + each.flipped, 0);
  const pairs = models.reduce((sum, each) => sum + each.pairs, 0);
  return (
    `This judge decides by position: in ${formatCount(flipped)} of ${formatCounted(pairs, 'pair')} its verdict changed with the ` +
    'order of the answers. Its win rates say nothing and are not shown. Choose another judge, or write a clearer rubric.'
  );
}

/** How far a judge of pairs agrees with people. */
export function toPairAgreementText({ rows, pairs, kappa, low, high }: PairJudge['agreement']): string {
  if (kappa === null || low === null || high === null)
    return rows < EVALUATION_LIMITS.agreement
      ? `agreement not measured: people judged ${rows} of ${EVALUATION_LIMITS.agreement} rows`
      : 'agreement not measured: all verdicts are the same';
  return `agrees with people: kappa ${kappa.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}), ${formatCounted(pairs, 'pair')}`;
}

/** How far several people agree. */
export function toAgreementText({
  shared,
  agreed,
  alpha,
}: Pick<JudgementResults['ratings'], 'shared' | 'agreed' | 'alpha'>): string {
  if (agreed === null) return 'nothing was judged by several people';
  const ofChance = alpha === null ? '' : `, Krippendorff’s alpha ${alpha.toFixed(2)}`;
  return `of ${formatCounted(shared, 'item')} judged by several people ${formatShare(agreed)} alike${ofChance}`;
}
