// The one notation of learning rates, multipliers, scores and sizes of files: in tables, plots, sentences and reasons. Files keep exact
// values.

const DIGITS = 6;

/**
 * At most `digits` significant digits, no padding zeros, never rounded to 0: `6e-3`, `2.86e-4`, `0.018`, `0.2`.
 * Scientific below 0.01 and from 100,000. The text can be pasted into a config.
 */
export function toNumberText(value: number, digits = DIGITS): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return size < 0.01 || size >= 100_000 ? toScientificText(rounded) : String(rounded);
}

/** `6e-3`: all digits of the value, whatever its size. */
export function toScientificText(value: number): string {
  return value === 0 ? '0' : value.toExponential().replace('e+', 'e');
}

const MEASURE_DIGITS = 4;

/**
 * A loss or another measure with four significant digits, never rounded to 0; scientific below 1e-3 and from 1e6. `NaN` and
 * infinities are themselves.
 */
export function formatMeasure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(MEASURE_DIGITS));
  const size = Math.abs(rounded);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? toScientificText(rounded) : String(rounded);
}

/** No score is over so many rows that a share needs more digits. */
const MAX_DIGITS = 4;

/**
 * A share as a number of percent, with one digit: `97.5`. More digits where rounding alone would say all or none: 9,999 of
 * 10,000 are 99.99.
 */
export function toPercent(share: number): string {
  for (let digits = 1; digits <= MAX_DIGITS; digits += 1) {
    const rounded = Number((share * 100).toFixed(digits));
    if (share <= 0 || share >= 1 || (rounded > 0 && rounded < 100)) return String(rounded);
  }
  return share < 0.5 ? '<0.0001' : '>99.9999';
}

/** A share as people read it everywhere: `97.5 %`. */
export const formatShare = (share: number): string => `${toPercent(share)} %`;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size with three significant digits, in units of 1000 as disks and networks count: `512 B`, `1.5 kB`, `35.1 MB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${Number(size.toPrecision(3))} ${UNITS[unit] ?? ''}`;
}
