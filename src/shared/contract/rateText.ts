// The one notation of learning rates and multipliers: in tables, plots, sentences and reasons. Files keep exact values.

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
