// A rate or a mean of a model's answers, with its interval. Every row counts the same. A row's repeated answers are not
// independent of each other, so the spread is that of rows (Miller 2024, arXiv 2411.00640). Pure arithmetic; plain loops,
// because iterators of typed arrays take three times as long.
import { toPassRate } from '../passRate.ts';
import { toT95 } from './studentT.ts';

/** `rate`: values are 0 or 1. */
export type MeasureKind = 'rate' | 'mean';

/** The known values of a model's answers: of each row their sum and their number. A row without values has none of both. */
export interface RowValues {
  readonly sums: Float64Array;
  readonly counts: Uint16Array;
}

export const toEmptyRows = (rows: number): RowValues => ({
  sums: new Float64Array(rows),
  counts: new Uint16Array(rows),
});

export function addValue({ sums, counts }: RowValues, row: number, value: number): void {
  sums[row] = (sums[row] ?? 0) + value;
  counts[row] = (counts[row] ?? 0) + 1;
}

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
export function toMean(values: Float64Array | readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0;
  return sum / values.length;
}

/** Of n - 1 values; NaN for fewer than two. */
export function toVariance(values: Float64Array): number {
  const mean = toMean(values);
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += ((values[at] ?? 0) - mean) ** 2;
  return sum / (values.length - 1);
}

/** The values of some rows. */
export function pickRows({ sums, counts }: RowValues, rows: Uint32Array): RowValues {
  const picked = { sums: new Float64Array(rows.length), counts: new Uint16Array(rows.length) };
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    picked.sums[at] = sums[row] ?? 0;
    picked.counts[at] = counts[row] ?? 0;
  }
  return picked;
}

/** The means of the rows that have values. */
export function toRowMeans({ sums, counts }: RowValues): Float64Array {
  const means = new Float64Array(counts.length);
  let rows = 0;
  for (let row = 0; row < counts.length; row += 1) {
    const count = counts[row] ?? 0;
    if (count === 0) continue;
    means[rows] = (sums[row] ?? 0) / count;
    rows += 1;
  }
  return means.subarray(0, rows);
}

/**
 * Wilson's interval at the number of independent answers that have the spread of the rows (Korn and Graubard 1998, "Confidence
 * intervals for proportions with small expected number of positive counts estimated from survey data"). With one answer
 * a row it is Wilson's.
 */
function toRateInterval(means: Float64Array, answers: number): { readonly low: number; readonly high: number } {
  const value = toMean(means);
  const variance = toVariance(means) / means.length;
  const independent = variance > 0 ? Math.min(answers, 1 + (value * (1 - value)) / variance) : means.length;
  return toPassRate(value * independent, independent);
}

/** A mean has the t interval of its rows. */
export function toEstimate(values: RowValues, kind: MeasureKind): Estimate {
  const means = toRowMeans(values);
  const rows = means.length;
  let answers = 0;
  for (let row = 0; row < values.counts.length; row += 1) answers += values.counts[row] ?? 0;
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
