// How long rows are: a histogram of bounded size for any number of rows. Pure.

interface LengthFigures {
  /** 0 if there are no rows. */
  readonly min: number;
  /** Within 1/32. */
  readonly median: number;
  readonly max: number;
  readonly total: number;
  /**
   * At most 24 neighbouring bars from the shortest to the longest row: lengths above `from`, up to `to`. If a hundredth
   * of the rows is far longer than the others, they are in the last bar, which is wider.
   */
  readonly bins: { from: number; to: number; count: number }[];
}

export interface LengthCounter {
  add(length: number): void;
  readonly rows: number;
  toFigures(): LengthFigures;
}

/** Bins of each doubling. A bin is at most 1/32 of its lengths wide. */
const STEPS = 32;
const STEP_BITS = 5;

/** The bin of a length. Bins begin after a power of two and after its 32 parts. */
function toBin(length: number): number {
  const above = Math.max(0, length - 1);
  if (above < STEPS) return above;
  const doubling = 31 - Math.clz32(above);
  return (doubling - STEP_BITS + 1) * STEPS + Math.floor(above / 2 ** (doubling - STEP_BITS)) - STEPS;
}

/** The largest length of the bins before `bin`: a bin holds what is longer. */
function toFloor(bin: number): number {
  if (bin < STEPS) return bin;
  const doubling = Math.floor(bin / STEPS) + STEP_BITS - 1;
  return Math.floor(((bin % STEPS) + STEPS) * 2 ** (doubling - STEP_BITS));
}

const BARS = 24;
/** Few rows that are far longer than the others would squeeze all others into one bar. */
const SHOWN_SHARE = 0.99;
const FAR = 2;

export function openLengths(): LengthCounter {
  const counts = new Map<number, number>();
  let rows = 0;
  let total = 0;
  let min = Infinity;
  let max = 0;

  /** The length that a share (0 to 1) of the rows doesn't exceed. */
  function findQuantile(bins: readonly (readonly [number, number])[], share: number): number {
    let before = 0;
    const found = bins.find(([, count]) => (before += count) >= rows * share);
    return found ? Math.max(min, Math.min(max, toFloor(found[0] + 1))) : max;
  }

  function toBars(bins: readonly (readonly [number, number])[]): LengthFigures['bins'] {
    const first = bins[0]?.[0] ?? 0;
    const last = bins.at(-1)?.[0] ?? -1;
    const shown = findQuantile(bins, SHOWN_SHARE);
    const hasRest = max > shown * FAR && first <= toBin(shown);
    const end = hasRest ? toBin(shown) + 1 : last + 1;
    const width = Math.max(1, Math.ceil((end - first) / (hasRest ? BARS - 1 : BARS)));
    const bars = Array.from({ length: Math.ceil((end - first) / width) }, (_, at) => ({
      from: toFloor(first + at * width),
      to: toFloor(first + (at + 1) * width),
      count: 0,
    }));
    const regular = bars.length;
    if (hasRest) bars.push({ from: bars.at(-1)?.to ?? 0, to: toFloor(last + 1), count: 0 });
    for (const [bin, count] of bins) {
      const bar = bars[Math.min(Math.floor((bin - first) / width), regular)] ?? bars.at(-1);
      if (bar) bar.count += count;
    }
    return bars;
  }

  return {
    add(length) {
      rows += 1;
      total += length;
      min = Math.min(min, length);
      max = Math.max(max, length);
      const bin = toBin(length);
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
    },
    get rows() {
      return rows;
    },
    toFigures() {
      const bins = [...counts].sort(([a], [b]) => a - b);
      const median = Math.round(findQuantile(bins, 0.5));
      return { min: rows === 0 ? 0 : min, median, max, total, bins: toBars(bins) };
    },
  };
}
