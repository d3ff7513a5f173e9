// Thins a curve so that it still looks the same: both ends, the lowest and highest value of each stretch, and where values
// are not finite. Pure.

/** One entry for each point. */
interface Points {
  readonly length: number;
  /** Needed for a range alone. */
  readonly steps?: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export interface ThinOptions {
  /** Most points of the result; at least 4. */
  readonly limit: number;
  /** Only points from this step to that one, and one beyond each end, so that a line reaches the edges. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The first place and the one after the last. Steps ascend, but for parts that a trainer logged out of order. */
function toRange({ length, steps = [] }: Points, { from, to }: ThinOptions): readonly [number, number] {
  if (from === undefined && to === undefined) return [0, length];
  let start = 0;
  let end = length;
  if (from !== undefined) while (start < length && (steps[start] ?? 0) < from) start += 1;
  if (to !== undefined) while (end > start && (steps[end - 1] ?? 0) > to) end -= 1;
  return [from === undefined ? start : Math.max(0, start - 1), to === undefined ? end : Math.min(length, end + 1)];
}

/** Some places of values that are not finite: both ends of each row of them, and some between. */
function toSome(all: readonly number[], most: number): readonly number[] {
  if (all.length <= most) return all;
  const ends = all.filter((at, place) => all[place - 1] !== at - 1 || all[place + 1] !== at + 1);
  const stride = Math.ceil(ends.length / most);
  return ends.filter((_, place) => place % stride === 0 || place === ends.length - 1);
}

/** The places of the points that are kept, ascending. `values`: others of the same order. */
export function thin(
  points: Points,
  options: ThinOptions,
  values: ArrayLike<number> = points.values,
): readonly number[] {
  const [start, end] = toRange(points, options);
  const limit = Math.max(4, options.limit);
  if (end - start <= limit) return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  const finite = new Uint32Array(end - start - 2);
  let finites = 0;
  const broken: number[] = [];
  for (let at = start + 1; at < end - 1; at += 1) {
    if (Number.isFinite(values[at])) {
      finite[finites] = at;
      finites += 1;
    } else broken.push(at);
  }
  const kept = new Set([start, end - 1, ...toSome(broken, Math.floor((limit - 2) / 2))]);
  const stretches = Math.floor((limit - kept.size) / 2);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * finites) / stretches);
    const to = Math.floor(((stretch + 1) * finites) / stretches);
    if (from === to) continue;
    let low = finite[from] ?? 0;
    let high = low;
    for (let place = from + 1; place < to; place += 1) {
      const at = finite[place] ?? 0;
      if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
      if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
    }
    kept.add(low).add(high);
  }
  return [...kept].toSorted((a, b) => a - b);
}
