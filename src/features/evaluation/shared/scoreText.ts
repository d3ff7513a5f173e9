// The one notation of a share of rows. Pure.
import { formatShare, toPercent } from '#core/contract/numberNotation.ts';
import { formatCounted } from '#ui/kit/format.ts';
import type { PassRate } from './passRate.ts';

/**
 * A share of rows with its 95 % interval, and of which rows it is: `82 % (69.2–90.2) of 50 validation rows`. `noun`: of one of
 * them. null: there are none.
 */
export const toScoreText = ({ rate, low, high, total }: PassRate, noun: string): string | null =>
  rate === null ? null : `${formatShare(rate)} (${toPercent(low)}–${toPercent(high)}) of ${formatCounted(total, noun)}`;
