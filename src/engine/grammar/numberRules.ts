// Ranges of numbers as grammars, digit by digit. Pure.
import { toIntegerBound, type Bound } from '#core/schema/numberBounds.ts';
import { MAX_DECIMALS } from '#core/schema/schemaScalars.ts';

/** Whole numbers have at most 15 digits, which JSON carries exactly. */
const MAX_INTEGER = 999_999_999_999_999;

function digit(from: number, to: number): string {
  return from === to ? `"${from}"` : `[${from}-${to}]`;
}

function toAnyDigits(count: number): string {
  return count === 0 ? '' : `[0-9]{${count}}`;
}

/** Digits between `low` and `high`, which have the same length. `point`: the number of digits after the point. */
function toSameLengthRule(low: string, high: string, point: number): string {
  const length = low.length;
  const split = (count: number): string =>
    count > point && point > 0 ? `${toAnyDigits(count - point)} "." ${toAnyDigits(point)}` : toAnyDigits(count);
  if (length === 0) return '';
  if (/^0*$/.test(low) && /^9*$/.test(high)) return length === point ? `"." ${toAnyDigits(length)}` : split(length);
  const mark = length === point && point > 0 ? '"." ' : '';
  const first = Number(low[0]);
  const last = Number(high[0]);
  const rest = (from: string, to: string): string => toSameLengthRule(from, to, length === point ? 0 : point);
  const tail = length - 1;
  const free =
    length === point ? toAnyDigits(tail) : tail === point && point > 0 ? `"." ${toAnyDigits(tail)}` : split(tail);
  if (first === last) return `${mark}${digit(first, first)} ${rest(low.slice(1), high.slice(1))}`.trim();
  const options: string[] = [];
  const isLowOpen = /^0*$/.test(low.slice(1));
  const isHighOpen = /^9*$/.test(high.slice(1));
  const from = isLowOpen ? first : first + 1;
  const to = isHighOpen ? last : last - 1;
  if (!isLowOpen) options.push(`${digit(first, first)} ${rest(low.slice(1), '9'.repeat(tail))}`);
  if (from <= to) options.push(`${digit(from, to)} ${free}`);
  if (!isHighOpen) options.push(`${digit(last, last)} ${rest('0'.repeat(tail), high.slice(1))}`);
  return `${mark}(${options.map((option) => option.trim()).join(' | ')})`;
}

/** Numbers from `low` to `high` without leading zeros. Both bounds are at least 0 and scaled by 10^`point`. */
function toRangeRules(low: number, high: number, point: number): string[] {
  const width = (value: number): string => String(value).padStart(point + 1, '0');
  const options: string[] = [];
  for (let from = width(low); from.length <= width(high).length; from = `1${'0'.repeat(from.length)}`) {
    const isLast = from.length === width(high).length;
    options.push(toSameLengthRule(from, isLast ? width(high) : '9'.repeat(from.length), point));
  }
  return options;
}

/** A grammar for the whole numbers within the bounds. */
export function toIntegerRule(min: Bound | null, max: Bound | null): string {
  const low = min === null ? -MAX_INTEGER : toIntegerBound(min, 1);
  const high = max === null ? MAX_INTEGER : toIntegerBound(max, -1);
  const options: string[] = [];
  if (low < 0) options.push(`"-" (${toRangeRules(Math.max(1, -high), -low, 0).join(' | ')})`);
  if (high >= 0) options.push(...toRangeRules(Math.max(0, low), high, 0));
  return options.join(' | ');
}

function countDecimals(bound: Bound | null): number {
  if (bound === null) return 0;
  const fraction = bound.value.toFixed(MAX_DECIMALS).replace(/0+$/, '').split('.')[1] ?? '';
  return fraction.length;
}

/** Most digits after those that decide whether a number is within the bounds. */
const EXTRA_DIGITS = 6;

/** Numbers of at least 0 between two scaled bounds. */
function toNonNegativeRules(low: Bound, high: Bound, point: number): string[] {
  const dot = point === 0 ? '"." ' : '';
  const options: string[] = [];
  const from = low.isExclusive ? low.value + 1 : low.value;
  if (low.isExclusive && low.value < high.value) {
    options.push(`${toRangeRules(low.value, low.value, point).join('')} ${dot}[0-9]{0,${EXTRA_DIGITS - 1}} [1-9]`);
  }
  if (from <= high.value - 1)
    options.push(`(${toRangeRules(from, high.value - 1, point).join(' | ')}) (${dot}[0-9]{1,${EXTRA_DIGITS}})?`);
  if (!high.isExclusive && (high.value > low.value || !low.isExclusive))
    options.push(...toRangeRules(high.value, high.value, point));
  return options;
}

/** A grammar for the numbers within the bounds. Without bounds, use JSON's own rule for numbers. */
export function toNumberRule(min: Bound | null, max: Bound | null): string {
  const point = Math.max(countDecimals(min), countDecimals(max));
  const scale = 10 ** point;
  const limit = Math.floor(MAX_INTEGER / scale) * scale;
  const scaled = (bound: Bound | null, fallback: number): Bound =>
    bound === null
      ? { value: fallback, isExclusive: false }
      : { value: Math.round(bound.value * scale), isExclusive: bound.isExclusive };
  const low = scaled(min, -limit);
  const high = scaled(max, limit);
  const zero = { value: 0, isExclusive: false };
  const options: string[] = [];
  if (low.value < 0) {
    const nearest =
      high.value < 0 ? { value: -high.value, isExclusive: high.isExclusive } : { value: 0, isExclusive: true };
    const furthest = { value: -low.value, isExclusive: low.isExclusive };
    options.push(`"-" (${toNonNegativeRules(nearest, furthest, point).join(' | ')})`);
  }
  if (high.value > 0 || (high.value === 0 && !high.isExclusive)) {
    options.push(...toNonNegativeRules(low.value >= 0 ? low : zero, high, point));
  }
  return options.join(' | ');
}
