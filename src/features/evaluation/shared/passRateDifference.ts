// How far two pass rates are apart. Pure arithmetic.
import { countPairs } from '#core/contract/rightRows.ts';
import { toMcNemarP, toPText } from './pairedTest.ts';
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
  /** Of the exact McNemar test; null: which rows are right is not known. */
  readonly p: number | null;
}

/** Of a model on validation rows. */
export interface RightRows {
  readonly share: number;
  /** Of each row, whether it is right (`-`: not measured); null: not known, or it does not belong to the share. */
  readonly right: string | null;
}

/** A value with its 95 % interval. */
interface Bounded {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The interval of `own` minus `other` from their intervals and their correlation (Zou 2008, doi 10.1093/ije/dym288). A bound that is
 * not known reaches no farther than the value.
 */
export function toCorrelatedGap(own: Bounded, other: Bounded, correlation: number): RateGap {
  const toSide = (a: number, b: number): number => Math.sqrt(Math.max(0, a * a - 2 * correlation * a * b + b * b));
  const [ownValue, otherValue] = [own.value ?? 0, other.value ?? 0];
  const gap = ownValue - otherValue;
  return {
    low: gap - toSide(ownValue - (own.low ?? ownValue), (other.high ?? otherValue) - otherValue),
    high: gap + toSide((own.high ?? ownValue) - ownValue, otherValue - (other.low ?? otherValue)),
  };
}

/**
 * The interval of `own` minus `other` where it is known which rows are right: their Wilson intervals, with the correlation
 * of the pairs (Newcombe 1998, method 10 for paired data, doi 10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C).
 */
export function toPairedGap(pairs: NonNullable<ReturnType<typeof countPairs>>): RateGap {
  const rows = pairs.both + pairs.own + pairs.other + pairs.neither;
  const [own, other] = [toPassRate(pairs.both + pairs.own, rows), toPassRate(pairs.both + pairs.other, rows)];
  const [ownRate, otherRate] = [own.rate ?? 0, other.rate ?? 0];
  const spread = Math.sqrt(ownRate * (1 - ownRate) * otherRate * (1 - otherRate)) * rows * rows;
  const product = pairs.both * pairs.neither - pairs.own * pairs.other;
  const correlation = spread === 0 ? 0 : (product > 0 ? Math.max(product - rows / 2, 0) : product) / spread;
  return toCorrelatedGap({ ...own, value: ownRate }, { ...other, value: otherRate }, correlation);
}

/** How far two shares of the same rows are apart; null: there are no rows. */
export function toRowsGap(own: RightRows, other: RightRows, rows: number): RowsGap | null {
  const pairs = own.right === null || other.right === null ? null : countPairs(own.right, other.right);
  const toPoints = (share: number): number => Number((share * 100).toFixed(1));
  const toGap = (gap: RateGap, p: number | null): RowsGap => ({
    rows,
    low: toPoints(gap.low),
    high: toPoints(gap.high),
    p,
  });
  if (pairs !== null && pairs.both + pairs.own + pairs.other + pairs.neither === rows)
    return toGap(toPairedGap(pairs), toMcNemarP(pairs.own, pairs.other));
  const [ownRate, otherRate] = [own, other].map(({ share }) => toPassRate(Math.round(share * rows), rows));
  const gap = ownRate && otherRate ? toRateGap(ownRate, otherRate) : null;
  return gap && toGap(gap, null);
}

/** "95 %: 9.4 to 21", "95 %: −1.2 to 3, p 0.4". */
export const toGapText = ({ low, high, p }: RowsGap): string =>
  [`95 %: ${low} to ${high}`.replaceAll('-', '−'), ...(p === null ? [] : [toPText(p)])].join(', ');
