// The one notation of a share of rows. Pure.
import { formatShare, toPercent } from '#core/contract/numberNotation.ts';
import { formatCounted } from '#ui/kit/format.ts';
import type { PassRate } from './passRate.ts';

/** What stands after a count of answers beside a rate that isn't the count's: rows count the same, however many of their answers were judged. */
export const toBasisText = ({ passed, total, rate }: Pick<PassRate, 'passed' | 'total' | 'rate'>): string =>
  rate === null || Math.abs(rate - passed / total) < 1e-9 ? '' : ', averaged by row';

/**
 * A share of rows with its 95 % interval, and of which rows it is: `82 % (69.2–90.2) of 50 validation rows`. `noun`: of one of
 * them. null: there are none.
 */
export function toScoreText(rate: PassRate, noun: string): string | null {
  if (rate.rate === null) return null;
  const interval = `${toPercent(rate.low)}–${toPercent(rate.high)}`;
  return `${formatShare(rate.rate)} (${interval}) of ${formatCounted(rate.total, noun)}${toBasisText(rate)}`;
}
