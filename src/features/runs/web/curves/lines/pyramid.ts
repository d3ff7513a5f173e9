// The lowest and highest value of any stretch of a curve, without reading all its points. Pure.
// Values that are not finite are no values here: `broken.ts` marks them.

/** Points, or blocks of the level below, that one block holds. */
const BLOCK = 8;

interface Level {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface Pyramid {
  readonly values: Float64Array;
  /** Level 0 has a block for each 8 points, level 1 for each 64. Empty for short curves. */
  readonly levels: readonly Level[];
}

/** Reused by `widen`, so that a frame of 200,000 questions allocates nothing. */
export interface Extent {
  low: number;
  high: number;
}

export const toExtent = (): Extent => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY });

function toLevel(count: number, read: (at: number, extent: Extent) => void): Level {
  const blocks = Math.ceil(count / BLOCK);
  const level: Level = { low: new Float64Array(blocks), high: new Float64Array(blocks) };
  const extent = toExtent();
  for (let block = 0; block < blocks; block += 1) {
    extent.low = Number.POSITIVE_INFINITY;
    extent.high = Number.NEGATIVE_INFINITY;
    const end = Math.min(count, (block + 1) * BLOCK);
    for (let at = block * BLOCK; at < end; at += 1) read(at, extent);
    level.low[block] = extent.low;
    level.high[block] = extent.high;
  }
  return level;
}

function take(extent: Extent, low: number, high: number): void {
  if (low < extent.low) extent.low = low;
  if (high > extent.high) extent.high = high;
}

export function toPyramid(values: Float64Array): Pyramid {
  const levels: Level[] = [];
  let count = values.length;
  while (count > BLOCK) {
    const below = levels.at(-1);
    const level = toLevel(count, (at, extent) => {
      if (below) return take(extent, below.low[at] ?? 0, below.high[at] ?? 0);
      const value = values[at] ?? Number.NaN;
      // NaN and infinities fail or pass no comparison by accident: only finite values count.
      if (Number.isFinite(value)) take(extent, value, value);
    });
    levels.push(level);
    count = level.low.length;
  }
  return { values, levels };
}

function widenPoints(values: Float64Array, from: number, to: number, extent: Extent): void {
  for (let at = from; at < to; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value)) take(extent, value, value);
  }
}

/** Widens `extent` by the finite values of the points from `from` up to `to`, which is not included. */
export function widen({ values, levels }: Pyramid, from: number, to: number, extent: Extent): void {
  let [start, end] = [from, to];
  if (end - start <= 2 * BLOCK || levels.length === 0) return widenPoints(values, start, end, extent);
  const blockStart = Math.ceil(start / BLOCK);
  const blockEnd = Math.floor(end / BLOCK);
  widenPoints(values, start, blockStart * BLOCK, extent);
  widenPoints(values, blockEnd * BLOCK, end, extent);
  [start, end] = [blockStart, blockEnd];
  for (const [depth, { low, high }] of levels.entries()) {
    const isTop = depth === levels.length - 1 || end - start <= 2 * BLOCK;
    const upStart = isTop ? end : Math.ceil(start / BLOCK) * BLOCK;
    const upEnd = isTop ? end : Math.floor(end / BLOCK) * BLOCK;
    for (let at = start; at < upStart; at += 1) take(extent, low[at] ?? 0, high[at] ?? 0);
    for (let at = upEnd; at < end; at += 1) take(extent, low[at] ?? 0, high[at] ?? 0);
    if (isTop) return undefined;
    [start, end] = [upStart / BLOCK, upEnd / BLOCK];
  }
  return undefined;
}
