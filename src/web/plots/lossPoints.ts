// Loss curves as numbers: breaks, smoothing, thinning, outliers, and the first, lowest and last loss. Pure.
import { toFarBound } from './outliers.ts';

/** More lines than this can't be told apart. */
export const MOST_CURVES = 8;

export interface LossPoint {
  readonly step: number;
  readonly loss: number;
}

export interface LossSeries {
  readonly key: string;
  readonly label: string;
  readonly series: number | null;
  /** In the order of steps; a loss may be not finite. */
  readonly points: readonly LossPoint[];
}

/** Stretches of finite losses: any other loss breaks the line. */
export function toStretches(points: readonly LossPoint[]): readonly (readonly LossPoint[])[] {
  const stretches: LossPoint[][] = [];
  let isOpen = false;
  for (const point of points) {
    const isFinite = Number.isFinite(point.loss);
    if (isFinite && isOpen) stretches.at(-1)?.push(point);
    else if (isFinite) stretches.push([point]);
    isOpen = isFinite;
  }
  return stretches;
}

/** Exponential moving average without the bias at its start; starts again after a break. */
export function toSmooth(points: readonly LossPoint[], weight: number): readonly LossPoint[] {
  let [sum, left] = [0, 1];
  return points.map(({ step, loss }) => {
    if (!Number.isFinite(loss)) {
      [sum, left] = [0, 1];
      return { step, loss };
    }
    sum = sum * weight + loss * (1 - weight);
    left *= weight;
    return { step, loss: sum / (1 - left) };
  });
}

/**
 * At most two points (lowest, highest) for each of `pixels` places over the steps, and both ends. Few points stay as
 * they are.
 */
export function toThinned(points: readonly LossPoint[], pixels: number): readonly LossPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length <= pixels * 2) return points;
  const span = last.step - first.step || 1;
  const buckets = new Map<number, { low: LossPoint; high: LossPoint }>();
  for (const point of points) {
    const place = Math.floor(((point.step - first.step) / span) * pixels);
    const bucket = buckets.get(place);
    if (!bucket) buckets.set(place, { low: point, high: point });
    else if (point.loss < bucket.low.loss) bucket.low = point;
    else if (point.loss > bucket.high.loss) bucket.high = point;
  }
  const kept = [...buckets.values()].flatMap(({ low, high }) =>
    low === high ? [low] : low.step <= high.step ? [low, high] : [high, low],
  );
  return [...new Set([first, ...kept, last])];
}

export interface LossRange {
  readonly steps: number;
  readonly min: number;
  readonly max: number;
}

/** Last step, lowest and highest finite loss over all series; null without a finite loss. */
export function toLossRange(series: readonly LossSeries[]): LossRange | null {
  let [steps, min, max] = [0, Infinity, -Infinity];
  for (const { step, loss } of series.flatMap(({ points }) => points)) {
    if (step > steps) steps = step;
    if (!Number.isFinite(loss)) continue;
    if (loss < min) min = loss;
    if (loss > max) max = loss;
  }
  return min <= max ? { steps, min, max } : null;
}

export interface LossCut {
  /** The highest loss that is no outlier. */
  readonly above: number;
  readonly points: number;
  /** Labels of the runs that have outliers. */
  readonly runs: readonly string[];
}

/** The outliers that would flatten all curves but their own; null: there are none. */
export function findLossCut(series: readonly LossSeries[]): LossCut | null {
  const finite = series.flatMap(({ points }) => points.map(({ loss }) => loss).filter(Number.isFinite));
  const sorted = Float64Array.from(finite).sort();
  const above = toFarBound(sorted, sorted.at(-1) ?? 0);
  if (above === null) return null;
  const isOutlier = ({ loss }: LossPoint): boolean => Number.isFinite(loss) && loss > above;
  return {
    above,
    points: series.reduce((sum, { points }) => sum + points.filter(isOutlier).length, 0),
    runs: series.flatMap(({ label, points }) => (points.some(isOutlier) ? [label] : [])),
  };
}

export interface LossFacts {
  readonly first: number | null;
  readonly lowest: number | null;
  readonly last: number | null;
  readonly lastFinite: number | null;
  /** The first step whose loss is not finite. */
  readonly brokenAt: number | null;
}

export function toLossFacts({ points }: LossSeries): LossFacts {
  const lowest = points.reduce((low, { loss }) => (Number.isFinite(loss) && loss < low ? loss : low), Infinity);
  return {
    first: points[0]?.loss ?? null,
    lowest: lowest === Infinity ? null : lowest,
    last: points.at(-1)?.loss ?? null,
    lastFinite: points.findLast(({ loss }) => Number.isFinite(loss))?.loss ?? null,
    brokenAt: points.find(({ loss }) => !Number.isFinite(loss))?.step ?? null,
  };
}

/** The point closest to a step; null beyond the ends of the run by more than `slack` steps, and for no points. */
export function findPointAt(points: readonly LossPoint[], step: number, slack: number): LossPoint | null {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.step ?? 0) < step) low = middle + 1;
    else high = middle;
  }
  const [after, before] = [points[low], points[low - 1]];
  const nearest = before && (!after || step - before.step <= after.step - step) ? before : after;
  if (!nearest) return null;
  const [first, last] = [points[0]?.step ?? 0, points.at(-1)?.step ?? 0];
  return step < first - slack || step > last + slack ? null : nearest;
}

export interface EndLabel {
  readonly x: number;
  readonly y: number;
}

/** Labels at the ends of lines; labels of lines that end near each other are moved apart. */
export function toEndLabels<Label extends EndLabel>(
  labels: readonly Label[],
  room: { readonly width: number; readonly gap: number; readonly top: number; readonly bottom: number },
): readonly Label[] {
  const groups: Label[][] = [];
  for (const label of labels.toSorted((a, b) => a.x - b.x)) {
    const group = groups.at(-1);
    if (group && label.x - (group.at(-1)?.x ?? 0) < room.width) group.push(label);
    else groups.push([label]);
  }
  return groups.flatMap((group) => {
    const heights = toSpread(
      group.map(({ y }) => y),
      room.gap,
      room.top,
      room.bottom,
    );
    return group.map((label, index) => ({ ...label, y: heights[index] ?? label.y }));
  });
}

/**
 * Heights of labels, moved apart so that none is closer than `gap` to the next, and between `top` and `bottom` if they
 * fit.
 */
export function toSpread(heights: readonly number[], gap: number, top: number, bottom: number): readonly number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  let next = top;
  for (const entry of order) {
    entry.height = Math.max(entry.height, next);
    next = entry.height + gap;
  }
  let limit = bottom;
  for (const entry of order.toReversed()) {
    entry.height = Math.min(entry.height, limit);
    limit = entry.height - gap;
  }
  const spread = heights.slice();
  for (const { height, index } of order) spread[index] = height;
  return spread;
}
