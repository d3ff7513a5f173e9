// A curve as it is drawn: its x by the chosen axis, its values, and what is known of both. Pure.
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import type { XAxis } from './curveView.ts';

export interface Line {
  readonly runId: string;
  /** The metric. */
  readonly name: string;
  /** Ascending. */
  readonly xs: Float64Array;
  readonly values: Float64Array;
  readonly steps: Float64Array;
  /** Unix milliseconds, NaN where unknown. */
  readonly times: Float64Array | null;
  /** Places of values that are not finite. */
  readonly broken: readonly number[];
  /** Points that have no place on this axis, because their x is not known. */
  readonly lost: number;
  /** The service sent fewer points than the curve has. */
  readonly isThinned: boolean;
}

/** The first place whose x is not below `x`; the length if all are. `xs` ascends. */
export function findPlace(xs: Float64Array, x: number, from = 0): number {
  let [low, high] = [from, xs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the axes other than step need to know of a run. */
export interface RunScale {
  /** The run's curve of epochs or tokens; null: it has none. */
  readonly by: ReadCurve | null;
  /** Time of its first point in Unix milliseconds; null: it has no times. */
  readonly startedAt: number | null;
  /** Its last step, of any curve; null: it has none. */
  readonly lastStep: number | null;
}

/** The value of `by` at a step: between two points by their line, beyond the ends unknown by more than one point. */
function readAt(by: ReadCurve, step: number): number {
  const { steps, values } = by;
  const place = findPlace(steps, step);
  if (steps[place] === step) return values[place] ?? Number.NaN;
  if (place === 0 || place === steps.length) {
    // Evaluation after the last logged step: the nearest point is a step away, not an epoch.
    const [a, b] = place === 0 ? [0, 1] : [steps.length - 2, steps.length - 1];
    const [fromStep, toStep] = [steps[a] ?? Number.NaN, steps[b] ?? Number.NaN];
    const slope = ((values[b] ?? Number.NaN) - (values[a] ?? Number.NaN)) / (toStep - fromStep);
    const near = place === 0 ? fromStep : toStep;
    if (Math.abs(step - near) > toStep - fromStep) return Number.NaN;
    return (place === 0 ? (values[a] ?? 0) : (values[b] ?? 0)) + slope * (step - near);
  }
  const [low, high] = [steps[place - 1] ?? 0, steps[place] ?? 0];
  const share = (step - low) / (high - low);
  return (values[place - 1] ?? Number.NaN) * (1 - share) + (values[place] ?? Number.NaN) * share;
}

function toX(curve: ReadCurve, at: number, axis: XAxis, scale: RunScale): number {
  const step = curve.steps[at] ?? Number.NaN;
  switch (axis) {
    case 'step':
      return step;
    case 'share':
      return (100 * step) / (scale.lastStep || Number.NaN);
    case 'epoch':
    case 'tokens':
      return scale.by ? readAt(scale.by, step) : Number.NaN;
    case 'elapsed':
      return ((curve.times?.[at] ?? Number.NaN) - (scale.startedAt ?? Number.NaN)) / 1000;
    case 'time':
      return curve.times?.[at] ?? Number.NaN;
    default:
      return axis satisfies never;
  }
}

/** Points in the order of the axis, without those that have no place on it. */
function toOrder(xs: Float64Array): Uint32Array | null {
  let isOrdered = true;
  let kept = 0;
  for (let at = 0; at < xs.length; at += 1) {
    const x = xs[at] ?? Number.NaN;
    if (!Number.isFinite(x)) isOrdered = false;
    else kept += 1;
    if (at > 0 && x < (xs[at - 1] ?? 0)) isOrdered = false;
  }
  if (isOrdered) return null;
  const order = new Uint32Array(kept);
  let next = 0;
  for (let at = 0; at < xs.length; at += 1) if (Number.isFinite(xs[at])) order[next++] = at;
  return order.sort((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0) || a - b);
}

const pick = (source: Float64Array, order: Uint32Array): Float64Array =>
  Float64Array.from(order, (at) => source[at] ?? Number.NaN);

function findBroken(values: Float64Array): readonly number[] {
  const broken: number[] = [];
  for (let at = 0; at < values.length; at += 1) if (!Number.isFinite(values[at])) broken.push(at);
  return broken;
}

export function toLine(curve: ReadCurve, axis: XAxis, scale: RunScale): Line {
  const all = axis === 'step' ? curve.steps : curve.steps.map((_, at) => toX(curve, at, axis, scale));
  const order = toOrder(all);
  const values = order ? pick(curve.values, order) : curve.values;
  return {
    runId: curve.run_id,
    name: curve.name,
    xs: order ? pick(all, order) : all,
    values,
    steps: order ? pick(curve.steps, order) : curve.steps,
    times: order && curve.times ? pick(curve.times, order) : curve.times,
    broken: findBroken(values),
    lost: order ? curve.steps.length - order.length : 0,
    isThinned: curve.length > curve.steps.length,
  };
}

/** The lowest and highest finite value of the points from `from` up to `to`, which is not included. Infinite: none is finite. */
export function toExtent(values: Float64Array, from = 0, to = values.length): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = from; at < to; at += 1) {
    const value = values[at] ?? Number.NaN;
    // NaN and infinities pass no comparison.
    if (value < low && value > Number.NEGATIVE_INFINITY) low = value;
    if (value > high && value < Number.POSITIVE_INFINITY) high = value;
  }
  return { low, high };
}

/** Places of the points inside the range, and one beyond each end. */
export function toPlaces({ xs }: Line, from: number, to: number): readonly [number, number] {
  const first = Math.max(0, findPlace(xs, from) - 1);
  let end = findPlace(xs, to, first);
  while (end < xs.length && (xs[end] ?? 0) <= to) end += 1;
  return [first, Math.min(xs.length, end + 1)];
}
