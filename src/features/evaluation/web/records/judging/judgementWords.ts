// What the page says of what people judged. Pure.
import { formatShare } from '#core/contract/numberNotation.ts';
import type { JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { formatCounted } from '#ui/kit/format.ts';

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
