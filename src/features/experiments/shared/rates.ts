// How learning rates and measures are written, and when a multiplier needs a warning.
import { formatMeasure, toNumberText } from '#core/contract/numberNotation.ts';

/** A smaller "multiplier" is probably an absolute learning rate. ASSUMED: services differ in its meaning. */
const ABSOLUTE_RATE_BELOW = 1e-3;

export const RATE_HINT =
  'Below 1e-3 this looks like an absolute learning rate, not a multiplier. Services differ: some multiply their own ' +
  'default rate by it, others take it as the rate itself. Check the service’s convention before you reuse the ' +
  'value elsewhere.';

/** In sentences. `isAbsolute`: it is the learning rate itself. */
export const toRateName = (isAbsolute: boolean): string => (isAbsolute ? 'learning rate' : 'learning rate multiplier');

/** True for a value that looks like an absolute rate. Zero and negative values don't. */
export function isLikelyAbsoluteRate(value: number | null): boolean {
  return value !== null && value > 0 && value < ABSOLUTE_RATE_BELOW;
}

export interface RateText {
  readonly text: string;
  /**
   * False if the text omits digits, so that the page must offer the exact value too. Float noise doesn't count.
   */
  readonly isExact: boolean;
}

/** Relative error of a few multiplications of doubles, as in 3 * 0.1. */
const FLOAT_NOISE = 1e-14;

/** A rate in the one notation of rates, and whether it omits digits. */
export function toRateText(value: number): RateText {
  const text = toNumberText(value);
  return {
    text,
    isExact: !Number.isFinite(value) || Math.abs(Number(text) - value) <= Math.abs(value) * FLOAT_NOISE,
  };
}

/** A loss or another measure, and whether its text omits digits. */
export function toMeasureText(value: number): RateText {
  const text = formatMeasure(value);
  return { text, isExact: !Number.isFinite(value) || Number(text) === value };
}
