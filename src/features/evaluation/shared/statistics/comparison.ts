// How far a model is from another one on the same rows. Pure arithmetic.
import { toMcNemarP } from '../pairedTest.ts';
import { toCorrelatedGap, toPairedGap, type RateGap } from '../passRateDifference.ts';
import { pickRows, toEstimate, toMean, toRowMeans, toVariance, type MeasureKind, type RowValues } from './estimate.ts';
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
const MAX_WORK = 1e6;
/** Of all comparisons of a table together: some hundredths of a second. */
const TABLE_WORK = 5e6;

/** How much each of many comparisons may take: the same for all, wherever they stand. */
export const toExactWork = (comparisons: number): number => Math.min(MAX_WORK, TABLE_WORK / Math.max(1, comparisons));
/** Differences of shares are multiples of one part in so many. */
const MAX_PARTS = 1_000;

const toDivisor = (a: number, b: number): number => (b === 0 ? a : toDivisor(b, a % b));
const toMultiple = (a: number, b: number): number => (a / toDivisor(a, b)) * b;

/**
 * The exact p value of row differences whose signs are chance (Fisher's permutation test of pairs, The Design of Experiments
 * 1935, section 21). With one answer a row it is McNemar's exact test. null: there are too many, or they are no
 * multiples of one whole part.
 */
function toSignP(differences: Float64Array, parts: number, maxWork: number): number | null {
  if (parts > MAX_PARTS) return null;
  const sizes = new Uint32Array(differences.length);
  let [count, whole, total, up, isEqual] = [0, 0, 0, 0, true];
  for (let row = 0; row < differences.length; row += 1) {
    const signed = Math.round((differences[row] ?? 0) * parts);
    if (signed === 0) continue;
    const size = Math.abs(signed);
    sizes[count] = size;
    isEqual &&= size === sizes[0];
    count += 1;
    whole += size;
    total += signed;
    if (signed > 0) up += 1;
  }
  if (isEqual) return toMcNemarP(up, count - up);
  if (whole * count > maxWork) return null;
  // How likely each sum of the sizes with one sign is.
  const chances = new Float64Array(whole + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes.subarray(0, count)) {
    reach += size;
    for (let sum = reach; sum >= 0; sum -= 1)
      chances[sum] = ((chances[sum] ?? 0) + (sum >= size ? (chances[sum - size] ?? 0) : 0)) / 2;
  }
  const found = Math.abs(total);
  return Math.min(
    1,
    chances.reduce((p, chance, sum) => (Math.abs(whole - 2 * sum) >= found ? p + chance : p), 0),
  );
}

/** Student's paired t test. Where all differences are equal it has no spread to go by: then the test of signs. */
function toTP(differences: Float64Array): number {
  const mean = toMean(differences);
  const variance = toVariance(differences);
  if (mean === 0) return 1;
  if (variance === 0) return 2 ** (1 - differences.length);
  return toTwoSidedP(mean / Math.sqrt(variance / differences.length), differences.length - 1);
}

/** Pearson's; 0 where one of them is always the same. */
function toCorrelation(own: Float64Array, other: Float64Array): number {
  const [ownMean, otherMean] = [toMean(own), toMean(other)];
  let product = 0;
  for (let at = 0; at < own.length; at += 1) product += ((own[at] ?? 0) - ownMean) * ((other[at] ?? 0) - otherMean);
  const spread = Math.sqrt(toVariance(own) * toVariance(other)) * (own.length - 1);
  return spread > 0 ? product / spread : 0;
}

/** The rows that both have values of. */
function toSharedRows(own: RowValues, other: RowValues): Uint32Array {
  const rows = new Uint32Array(own.counts.length);
  let shared = 0;
  for (let row = 0; row < rows.length; row += 1) {
    if ((own.counts[row] ?? 0) === 0 || (other.counts[row] ?? 0) === 0) continue;
    rows[shared] = row;
    shared += 1;
  }
  return rows.subarray(0, shared);
}

/** The interval of the difference of rates. */
function toRateInterval(own: RowValues, other: RowValues, ownMeans: Float64Array, otherMeans: Float64Array): RateGap {
  const rows = ownMeans.length;
  const [ownRate, otherRate] = [toEstimate(own, 'rate'), toEstimate(other, 'rate')];
  if (ownRate.answers > rows || otherRate.answers > rows)
    return toCorrelatedGap(ownRate, otherRate, toCorrelation(ownMeans, otherMeans));
  const pairs = { both: 0, own: 0, other: 0, neither: 0 };
  for (let at = 0; at < rows; at += 1)
    pairs[ownMeans[at] === 1 ? (otherMeans[at] === 1 ? 'both' : 'own') : otherMeans[at] === 1 ? 'other' : 'neither'] +=
      1;
  return toPairedGap(pairs);
}

/** Of how many parts each row's share is a multiple, such as 20 for four answers beside five. */
function toParts(...columns: readonly RowValues[]): number {
  const lengths = new Set<number>();
  for (const { counts } of columns) for (let row = 0; row < counts.length; row += 1) lengths.add(counts[row] ?? 1);
  return [...lengths].reduce((least, length) => (least > MAX_PARTS ? least : toMultiple(least, length)), 1);
}

/** Both are of the same rows. `maxWork`: of the exact test. null: no row has values of both. */
export function toComparison(
  ownValues: RowValues,
  otherValues: RowValues,
  kind: MeasureKind,
  maxWork = MAX_WORK,
): Comparison | null {
  const shared = toSharedRows(ownValues, otherValues);
  const rows = shared.length;
  if (rows === 0) return null;
  const [own, other] = [pickRows(ownValues, shared), pickRows(otherValues, shared)];
  const [ownMeans, otherMeans] = [toRowMeans(own), toRowMeans(other)];
  const differences = ownMeans.map((value, at) => value - (otherMeans[at] ?? 0));
  const difference = toMean(differences);
  if (kind === 'rate')
    return {
      rows,
      difference,
      ...toRateInterval(own, other, ownMeans, otherMeans),
      p: toSignP(differences, toParts(own, other), maxWork) ?? toTP(differences),
    };
  if (rows === 1) return { rows, difference, low: null, high: null, p: null };
  const half = toT95(rows - 1) * Math.sqrt(toVariance(differences) / rows);
  return { rows, difference, low: difference - half, high: difference + half, p: toTP(differences) };
}
