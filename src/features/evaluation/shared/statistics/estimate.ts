// A rate or a mean of a model's answers, with its interval. Every row counts the same. A row's repeated answers are not
// independent of each other, so the spread is that of rows (Miller 2024, arXiv 2411.00640). Pure arithmetic.
import { toPassRate } from '../passRate.ts';
import { toT95 } from './studentT.ts';

/** `rate`: values are 0 or 1. */
export type MeasureKind = 'rate' | 'mean';

/** The values of each row's answers; every row has at least one. */
export type RowValues = ReadonlyMap<string | number, readonly number[]>;

export interface Estimate {
  readonly rows: number;
  readonly answers: number;
  /** null without answers. */
  readonly value: number | null;
  /** Bounds of the 95 % interval; null: one row says nothing about the spread of a mean. */
  readonly low: number | null;
  readonly high: number | null;
}

/** NaN without values. */
export const toMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of n - 1 values; NaN for fewer than two. */
export function toVariance(values: readonly number[]): number {
  const mean = toMean(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * Wilson's interval at the number of independent answers that have the spread of the rows (Korn and Graubard 1998, "Confidence
 * intervals for proportions with small expected number of positive counts estimated from survey data"). With one answer
 * a row it is Wilson's.
 */
function toRateInterval(means: readonly number[], answers: number): { readonly low: number; readonly high: number } {
  const value = toMean(means);
  const variance = toVariance(means) / means.length;
  const independent = variance > 0 ? Math.min(answers, 1 + (value * (1 - value)) / variance) : means.length;
  return toPassRate(value * independent, independent);
}

/** A mean has the t interval of its rows. */
export function toEstimate(values: RowValues, kind: MeasureKind): Estimate {
  const means = [...values.values()].map(toMean);
  const rows = means.length;
  const answers = [...values.values()].reduce((sum, { length }) => sum + length, 0);
  if (rows === 0) return { rows, answers, value: null, low: null, high: null };
  const value = toMean(means);
  if (kind === 'rate') {
    const { low, high } = toRateInterval(means, answers);
    return { rows, answers, value, low, high };
  }
  if (rows === 1) return { rows, answers, value, low: null, high: null };
  const half = toT95(rows - 1) * Math.sqrt(toVariance(means) / rows);
  return { rows, answers, value, low: value - half, high: value + half };
}
