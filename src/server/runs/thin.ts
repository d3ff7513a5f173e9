// Thins a curve so that it still looks the same: both ends, the lowest and highest value of each stretch, and where values
// are not finite. Pure.
import type { CurvePoints } from '#server/runs/points/columns.ts';

export interface ThinOptions {
  /** Most points of the result; at least 4. */
  readonly limit: number;
  /** Only points from this step to that one, and one beyond each end, so that a line reaches the edges. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The first place and the one after the last. Steps ascend, but for parts that a trainer logged out of order. */
function toRange({ steps, length }: CurvePoints, { from, to }: ThinOptions): readonly [number, number] {
  let start = 0;
  let end = length;
  if (from !== undefined) while (start < length && (steps[start] ?? 0) < from) start += 1;
  if (to !== undefined) while (end > start && (steps[end - 1] ?? 0) > to) end -= 1;
  return [from === undefined ? start : Math.max(0, start - 1), to === undefined ? end : Math.min(length, end + 1)];
}

/** Places of values that are not finite. Of many, both ends of each row of them, and some between. */
function toBroken({ values }: CurvePoints, start: number, end: number, most: number): number[] {
  const all: number[] = [];
  for (let at = start; at < end; at += 1) if (!Number.isFinite(values[at])) all.push(at);
  if (all.length <= most) return all;
  const ends = all.filter((at, place) => all[place - 1] !== at - 1 || all[place + 1] !== at + 1);
  const stride = Math.ceil(ends.length / most);
  return ends.filter((_, place) => place % stride === 0 || place === ends.length - 1);
}

/** The lowest and the highest of a stretch of places, in their order. */
function toExtremes(values: Float64Array, places: readonly number[]): number[] {
  let low = places[0] ?? 0;
  let high = low;
  for (const at of places) {
    if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
    if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
  }
  return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
}

/** The places of the points that are kept, ascending. */
export function thin(points: CurvePoints, options: ThinOptions): readonly number[] {
  const [start, end] = toRange(points, options);
  const limit = Math.max(4, options.limit);
  const { values } = points;
  if (end - start <= limit) return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  const broken = toBroken(points, start + 1, end - 1, Math.floor((limit - 2) / 2));
  const finite: number[] = [];
  for (let at = start + 1; at < end - 1; at += 1) if (Number.isFinite(values[at])) finite.push(at);
  const kept = new Set([start, end - 1, ...broken]);
  const stretches = Math.floor((limit - kept.size) / 2);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * finite.length) / stretches);
    const places = finite.slice(from, Math.floor(((stretch + 1) * finite.length) / stretches));
    if (places.length > 0) for (const at of toExtremes(values, places)) kept.add(at);
  }
  return [...kept].toSorted((a, b) => a - b);
}
