// How far a model is from another one on the same rows. Pure arithmetic.
import { toMcNemarP } from '../pairedTest.ts';
import { toCorrelatedGap, toPairedGap } from '../passRateDifference.ts';
import { toEstimate, toMean, toVariance, type MeasureKind, type RowValues } from './estimate.ts';
import { toT95, toTwoSidedP } from './studentT.ts';

export interface Comparison {
  /** Rows that both have values of. */
  readonly rows: number;
  /** The model's value minus the other's. */
  readonly difference: number;
  /** Bounds of the 95 % interval; null: one row says nothing about the spread of a mean. */
  readonly low: number | null;
  readonly high: number | null;
  /** That there is no difference; two-sided. null: one row of a mean. */
  readonly p: number | null;
}

/** The exact test of signs takes rows times their differences; beyond, the t test is as good. */
const MAX_WORK = 2e7;
/** Differences of shares are multiples of one part in so many, such as 20 for four answers beside five. */
const MAX_PARTS = 1_000;

const toDivisor = (a: number, b: number): number => (b === 0 ? a : toDivisor(b, a % b));
const toMultiple = (a: number, b: number): number => (a / toDivisor(a, b)) * b;

/**
 * The exact p value of row differences whose signs are chance (Fisher's permutation test of pairs, The Design of Experiments
 * 1935, section 21). With one answer a row it is McNemar's exact test. null: there are too many, or they are no
 * multiples of one whole part.
 */
function toSignP(differences: readonly number[], parts: number): number | null {
  if (parts > MAX_PARTS) return null;
  const signed = differences.map((each) => Math.round(each * parts)).filter((each) => each !== 0);
  const sizes = signed.map(Math.abs);
  const [first = 0] = sizes;
  if (sizes.every((size) => size === first)) {
    const up = signed.filter((each) => each > 0).length;
    return toMcNemarP(up, signed.length - up);
  }
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  if (whole * sizes.length > MAX_WORK) return null;
  // How likely each sum of the sizes with one sign is.
  const chances = new Float64Array(whole + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    reach += size;
    for (let sum = reach; sum >= 0; sum -= 1)
      chances[sum] = ((chances[sum] ?? 0) + (sum >= size ? (chances[sum - size] ?? 0) : 0)) / 2;
  }
  const found = Math.abs(signed.reduce((sum, each) => sum + each, 0));
  return Math.min(
    1,
    chances.reduce((p, chance, sum) => (Math.abs(whole - 2 * sum) >= found ? p + chance : p), 0),
  );
}

/** Student's paired t test. Where all differences are equal it has no spread to go by: then the test of signs. */
function toTP(differences: readonly number[]): number {
  const mean = toMean(differences);
  const variance = toVariance(differences);
  if (mean === 0) return 1;
  if (variance === 0) return 2 ** (1 - differences.length);
  return toTwoSidedP(mean / Math.sqrt(variance / differences.length), differences.length - 1);
}

/** Pearson's; 0 where one of them is always the same. */
function toCorrelation(own: readonly number[], other: readonly number[]): number {
  const [ownMean, otherMean] = [toMean(own), toMean(other)];
  const product = own.reduce((sum, value, at) => sum + (value - ownMean) * ((other[at] ?? 0) - otherMean), 0);
  const spread = Math.sqrt(toVariance(own) * toVariance(other)) * (own.length - 1);
  return spread > 0 ? product / spread : 0;
}

/** null: no row has values of both. */
export function toComparison(own: RowValues, other: RowValues, kind: MeasureKind): Comparison | null {
  const rows = [...own.keys()].filter((row) => other.has(row));
  if (rows.length === 0) return null;
  const pick = (values: RowValues): RowValues => new Map(rows.map((row) => [row, values.get(row) ?? []]));
  const [ownRows, otherRows] = [pick(own), pick(other)];
  const [ownMeans, otherMeans] = [ownRows, otherRows].map((values) => [...values.values()].map(toMean)) as [
    number[],
    number[],
  ];
  const differences = ownMeans.map((value, at) => value - (otherMeans[at] ?? 0));
  const difference = toMean(differences);
  if (kind === 'mean') {
    if (rows.length === 1) return { rows: 1, difference, low: null, high: null, p: null };
    const half = toT95(rows.length - 1) * Math.sqrt(toVariance(differences) / rows.length);
    return {
      rows: rows.length,
      difference,
      low: difference - half,
      high: difference + half,
      p: toTP(differences),
    };
  }
  const [ownRate, otherRate] = [toEstimate(ownRows, kind), toEstimate(otherRows, kind)];
  const isSingle = ownRate.answers === rows.length && otherRate.answers === rows.length;
  const count = (a: number, b: number): number =>
    ownMeans.filter((value, at) => value === a && otherMeans[at] === b).length;
  const gap = isSingle
    ? toPairedGap({ both: count(1, 1), own: count(1, 0), other: count(0, 1), neither: count(0, 0) })
    : toCorrelatedGap(ownRate, otherRate, toCorrelation(ownMeans, otherMeans));
  const parts = [...ownRows.values(), ...otherRows.values()].reduce(
    (least, { length }) => (least > MAX_PARTS ? least : toMultiple(least, length)),
    1,
  );
  return { rows: rows.length, difference, ...gap, p: toSignP(differences, parts) ?? toTP(differences) };
}
