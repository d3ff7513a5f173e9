// How far a value is from the baseline's: a ratio for rates, a difference for other numbers. It doesn't judge: more is
// not better.
import { toRateText } from './rates.ts';

export type ParameterKind = 'rate' | 'count' | 'number' | 'text';

/** The value of a parameter as read; null if the service did not send it. */
export type ParameterValue = number | string | boolean | null;

/** Equal in type and value: 1 is not "1", NaN equals NaN, null equals only null. There is no tolerance. */
export function isSameValue(a: ParameterValue, b: ParameterValue): boolean {
  return a === b || (typeof a === 'number' && typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b));
}

const MINUS = '−';

/** 1272967192 -> "1,272,967,192", 12345.6 -> "12,345.6" */
const groupDigits = (value: number): string =>
  String(value).replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));

/** `value` with the fewest digits (at least 3) that still differ from `other`, without trailing zeros. */
function toShortNumber(value: number, other: number): string {
  let digits = 3;
  while (digits < 17 && Number(value.toPrecision(digits)) === other) digits += 1;
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? toRateText(rounded).text : groupDigits(rounded);
}

/** Keeps all digits of a whole difference. */
function toSigned(difference: number): string {
  const size = Math.abs(difference);
  return `${difference < 0 ? MINUS : '+'}${Number.isSafeInteger(size) ? groupDigits(size) : toShortNumber(size, 0)}`;
}

/** Numbers that only name something: how far two of them are apart says nothing. */
const NAMING = /(?:^|[._])(?:\w*seed|random_state|\w*_?id|experiment_number|\w+_at)$/i;

export const isNaming = (parameter: string): boolean => NAMING.test(parameter);

/** `×2`, `×0.5`, `+8`, `−1`; null if the values are equal, missing, text or not finite. */
export function toDelta(kind: ParameterKind, baseline: ParameterValue, value: ParameterValue): string | null {
  if (typeof baseline !== 'number' || typeof value !== 'number' || kind === 'text') return null;
  if (baseline === value || !Number.isFinite(baseline) || !Number.isFinite(value)) return null;
  const ratio = value / baseline;
  if (kind === 'rate' && Number.isFinite(ratio) && ratio > 0) return `×${toShortNumber(ratio, 1)}`;
  const difference = value - baseline;
  return Number.isFinite(difference) && difference !== 0 ? toSigned(difference) : null;
}

/** Of shares: "+3.3 points"; digits enough not to say 0; null: no difference. */
export function toPointsText(difference: number): string | null {
  if (difference === 0) return null;
  const points = Math.abs(difference * 100);
  const text = String(Number(points >= 0.05 ? points.toFixed(1) : points.toPrecision(1)));
  return `${difference > 0 ? '+' : MINUS}${text} ${text === '1' ? 'point' : 'points'}`;
}
