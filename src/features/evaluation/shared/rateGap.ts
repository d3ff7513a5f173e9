// How far two pass rates are apart where which rows passed is not known. Pure arithmetic.
import { toPassRate, type PassRate } from './passRate.ts';

/** The 95 % interval of a difference, as shares. */
export interface RateGap {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval of `own` minus `other` from their Wilson intervals (Newcombe 1998, method 10, doi
 * 10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I). It is that of two groups of rows: for two models on the
 * same rows it is mostly wider than a paired one, so it claims no more. null: one has no rows.
 */
export function toRateGap(own: PassRate, other: PassRate): RateGap | null {
  if (own.rate === null || other.rate === null) return null;
  const gap = own.rate - other.rate;
  return {
    low: gap - Math.hypot(own.rate - own.low, other.high - other.rate),
    high: gap + Math.hypot(own.high - own.rate, other.rate - other.low),
  };
}

/** The 95 % interval of a difference of two shares of the same rows, in points of percent with one digit. */
export interface RowsGap {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
}

/** How far two shares of the same rows are apart; null: there are no rows. */
export function toRowsGap(own: number, other: number, rows: number): RowsGap | null {
  const [ownRate, otherRate] = [own, other].map((share) => toPassRate(Math.round(share * rows), rows));
  const gap = ownRate && otherRate ? toRateGap(ownRate, otherRate) : null;
  const toPoints = (share: number): number => Number((share * 100).toFixed(1));
  return gap && { rows, low: toPoints(gap.low), high: toPoints(gap.high) };
}

/** "9.4 to 21", "−1.2 to 3". */
export const toGapText = ({ low, high }: Pick<RowsGap, 'low' | 'high'>): string =>
  `${low} to ${high}`.replaceAll('-', '−');
