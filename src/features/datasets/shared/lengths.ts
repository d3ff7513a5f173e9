// How long rows are: a histogram of bounded size for any number of rows, which says what a context would cut. Pure.

/** A histogram, as plain JSON. Two of them can be added. */
export interface Lengths {
  readonly rows: number;
  readonly sum: number;
  /** 0 if there are no rows. */
  readonly min: number;
  readonly max: number;
  /** The bins that are not empty, in order: [bin, rows, sum of lengths]. */
  readonly bins: readonly (readonly [number, number, number])[];
}

export const NO_LENGTHS: Lengths = { rows: 0, sum: 0, min: 0, max: 0, bins: [] };

/** Bins of each doubling. A bin is at most 1/32 of its lengths wide. */
const STEPS = 32;
const STEP_BITS = 5;

/**
 * The bin of a length. Bins begin after a power of two and after its 32 parts, so contexts of 512, 768 or 8,192 fall
 * between bins and their counts are exact.
 */
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
  return ((bin % STEPS) + STEPS) * 2 ** (doubling - STEP_BITS);
}

export interface LengthCounter {
  add(length: number): void;
  addAll(lengths: Lengths): void;
  toLengths(): Lengths;
}

export function openLengths(): LengthCounter {
  const bins = new Map<number, [rows: number, sum: number]>();
  let rows = 0;
  let sum = 0;
  let min = Infinity;
  let max = 0;
  function addTo(bin: number, count: number, total: number): void {
    const entry = bins.get(bin);
    if (!entry) bins.set(bin, [count, total]);
    else {
      entry[0] += count;
      entry[1] += total;
    }
  }
  return {
    add(length) {
      rows += 1;
      sum += length;
      min = Math.min(min, length);
      max = Math.max(max, length);
      addTo(toBin(length), 1, length);
    },
    addAll(lengths) {
      if (lengths.rows === 0) return;
      rows += lengths.rows;
      sum += lengths.sum;
      min = Math.min(min, lengths.min);
      max = Math.max(max, lengths.max);
      for (const [bin, count, total] of lengths.bins) addTo(bin, count, total);
    },
    toLengths: () => ({
      rows,
      sum,
      min: rows === 0 ? 0 : min,
      max,
      bins: [...bins].sort(([a], [b]) => a - b).map(([bin, [count, total]]) => [bin, count, total] as const),
    }),
  };
}

/**
 * What a context of so many tokens (or characters, as the histogram counts) cuts: rows that are longer, and what of
 * them is beyond. Exact for contexts between bins; else the one bin around the context is shared out evenly.
 */
export function toCut(lengths: Lengths, context: number): { readonly rows: number; readonly length: number } {
  let rows = 0;
  let length = 0;
  for (const [bin, count, sum] of lengths.bins) {
    const floor = toFloor(bin);
    const ceiling = toFloor(bin + 1);
    if (ceiling <= context || lengths.max <= context) continue;
    const share = floor >= context ? 1 : (ceiling - context) / (ceiling - floor);
    rows += count * share;
    length += floor >= context ? sum - count * context : (count * share * (ceiling - context)) / 2;
  }
  return { rows: Math.round(rows), length: Math.round(length) };
}

/** The length that a share (0 to 1) of the rows doesn't exceed, within 1/32. 0 if there are no rows. */
export function toQuantile(lengths: Lengths, share: number): number {
  let before = 0;
  for (const [bin, count] of lengths.bins) {
    before += count;
    if (before >= lengths.rows * share)
      return Math.max(lengths.min, Math.min(lengths.max, Math.floor(toFloor(bin + 1))));
  }
  return lengths.max;
}

export interface LengthBar {
  /** Lengths above `from`, up to `to`. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/** Few rows that are far longer than the others would squeeze all others into one bar. */
const SHOWN_SHARE = 0.99;
const FAR = 2;

/** The first bin of the few longest rows, which share one bar; null: they are not far from the others. */
function findRest(lengths: Lengths): number | null {
  const shown = toQuantile(lengths, SHOWN_SHARE);
  const rest = toBin(shown) + 1;
  return lengths.max > shown * FAR && lengths.bins.some(([bin]) => bin < rest) ? rest : null;
}

/**
 * The histogram as at most `count` neighbouring bars from the shortest to the longest row, for drawing. If a hundredth
 * of the rows is far longer than the others, they are in the last bar, which is wider.
 */
export function toBars(lengths: Lengths, count: number): readonly LengthBar[] {
  const { bins } = lengths;
  const [first] = bins;
  const last = bins.at(-1);
  if (!first || !last) return [];
  const rest = count > 1 ? findRest(lengths) : null;
  const end = rest ?? last[0] + 1;
  const width = Math.max(1, Math.ceil((end - first[0]) / (rest === null ? count : count - 1)));
  const bars = Array.from({ length: Math.ceil((end - first[0]) / width) }, (_, at) => ({
    from: Math.floor(toFloor(first[0] + at * width)),
    to: Math.floor(toFloor(first[0] + (at + 1) * width)),
    rows: 0,
  }));
  const regular = bars.length;
  if (rest !== null) bars.push({ from: bars.at(-1)?.to ?? 0, to: Math.floor(toFloor(last[0] + 1)), rows: 0 });
  for (const [bin, rows] of bins) {
    const at = Math.floor((bin - first[0]) / width);
    const bar = bars[Math.min(at, regular)] ?? bars.at(-1);
    if (bar) bar.rows += rows;
  }
  return bars;
}
