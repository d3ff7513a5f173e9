// The range of the y axis: all values in view, or without outliers. Pure.
import type { Outliers } from './curveView.ts';
import { toExtent, toPlaces, type Line } from './line.ts';
import type { XRange } from './xRange.ts';

export interface ValueRange {
  readonly low: number;
  readonly high: number;
  /** Points in view that lie outside the range and are cut off. */
  readonly above: number;
  readonly below: number;
  /** Ids of the runs whose points are cut off. */
  readonly runs: ReadonlySet<string>;
  /** Those of them that lose most of their finite points in view: a person would look for them in vain. */
  readonly outside: ReadonlySet<string>;
}

/** Read at most so many values of a plot to find the quantiles: each n-th of each curve. */
const MOST_READ = 40_000;
/** Values beyond these quantiles are outliers, and beyond a margin around them. */
const TAIL = 0.02;
const MARGIN = 0.5;

/** At least so many values have quantiles. */
const LEAST = 20;
/** Values over so many times the median are far. */
const FAR = 20;

/** The highest value that is not far, of finite values in rising order; null: none is far. */
function toFarBound(sorted: Float64Array, highest: number): number | null {
  const limit = FAR * (sorted[sorted.length >> 1] ?? 0);
  if (!(limit > 0) || highest <= limit) return null;
  return sorted.findLast((value) => value <= limit) ?? null;
}

/** The values in view in their order, or as many of them as are read. */
function toSorted(lines: readonly Line[], { from, to }: XRange, isLog: boolean): Float64Array {
  const places = lines.map((line) => toPlaces(line, from, to));
  const total = places.reduce((sum, [first, end]) => sum + end - first, 0);
  const every = Math.max(1, Math.ceil(total / MOST_READ));
  const values: number[] = [];
  for (const [index, line] of lines.entries()) {
    const [first, end] = places[index] ?? [0, 0];
    for (let at = first; at < end; at += every) {
      const value = line.values[at] ?? Number.NaN;
      if (Number.isFinite(value) && (!isLog || value > 0)) values.push(value);
    }
  }
  return Float64Array.from(values).sort();
}

function toQuantiles(sorted: Float64Array, isLog: boolean): readonly [number, number] | null {
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(TAIL), at(1 - TAIL)];
  const [lowest, highest] = [sorted[0] ?? low, sorted.at(-1) ?? high];
  const room = (high - low) * MARGIN;
  if (!(room > 0)) return null;
  if (!isLog) return [Math.max(lowest, low - room), Math.min(highest, high + room)];
  const factor = (high / low) ** MARGIN;
  return [Math.max(lowest, low / factor), Math.min(highest, high * factor)];
}

function countOutside(lines: readonly Line[], { from, to }: XRange, low: number, high: number) {
  let [above, below] = [0, 0];
  const byRun = new Map<string, { cut: number; shown: number }>();
  for (const line of lines) {
    const [first, end] = toPlaces(line, from, to);
    const run = byRun.get(line.runId) ?? { cut: 0, shown: 0 };
    byRun.set(line.runId, run);
    for (let at = first; at < end; at += 1) {
      const value = line.values[at] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      if (value > high) above += 1;
      else if (value < low) below += 1;
      if (value > high || value < low) run.cut += 1;
      else run.shown += 1;
    }
  }
  const toIds = (isMeant: (run: { cut: number; shown: number }) => boolean): ReadonlySet<string> =>
    new Set([...byRun].flatMap(([id, run]) => (isMeant(run) ? [id] : [])));
  return { above, below, runs: toIds(({ cut }) => cut > 0), outside: toIds(({ cut, shown }) => cut > shown) };
}

/** The range without outliers; null: there are none. */
function toInner(
  lines: readonly Line[],
  x: XRange,
  isLog: boolean,
  outliers: Exclude<Outliers, 'shown'>,
  extent: { readonly low: number; readonly high: number },
): readonly [number, number] | null {
  // A logarithmic axis has room for what is far.
  if (outliers === 'far' && isLog) return null;
  const sorted = toSorted(lines, x, isLog);
  if (outliers === 'cut') return sorted.length < LEAST ? null : toQuantiles(sorted, isLog);
  const high = toFarBound(sorted, extent.high);
  return high === null ? null : [extent.low, high];
}

interface RangeInput {
  readonly isLog: boolean;
  readonly outliers: Outliers;
}

const NO_RUNS: ReadonlySet<string> = new Set();

/** null: no finite value is in view (above 0, on a logarithmic axis). */
export function toValueRange(lines: readonly Line[], x: XRange, { isLog, outliers }: RangeInput): ValueRange | null {
  const extents = lines.map((line) => toExtent(line.values, ...toPlaces(line, x.from, x.to)));
  const extent = {
    low: Math.min(...extents.map(({ low }) => low)),
    high: Math.max(...extents.map(({ high }) => high)),
  };
  if (extent.low > extent.high || (isLog && extent.high <= 0)) return null;
  const inner = outliers === 'shown' ? null : toInner(lines, x, isLog, outliers, extent);
  const low = inner?.[0] ?? (isLog && extent.low <= 0 ? findLowestPositive(lines, x) : extent.low);
  const high = inner?.[1] ?? extent.high;
  return {
    low,
    high,
    ...(inner ? countOutside(lines, x, low, high) : { above: 0, below: 0, runs: NO_RUNS, outside: NO_RUNS }),
  };
}

function findLowestPositive(lines: readonly Line[], { from, to }: XRange): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const [first, end] = toPlaces(line, from, to);
    for (let at = first; at < end; at += 1) {
      const value = line.values[at] ?? 0;
      if (value > 0 && value < lowest) lowest = value;
    }
  }
  return lowest;
}
