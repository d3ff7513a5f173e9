// The x axis, which all plots share: its whole, zoom and pan, and the steps of a part. Pure.
import { toPlaces, type Line } from './line.ts';

export interface XRange {
  readonly from: number;
  readonly to: number;
}

/** The x of all lines; null: there is no point. */
export function toWholeRange(lines: readonly Line[]): XRange | null {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { xs } of lines) {
    if (xs.length === 0) continue;
    from = Math.min(from, xs[0] ?? from);
    to = Math.max(to, xs.at(-1) ?? to);
  }
  return from <= to ? { from, to } : null;
}

/** The narrowest view, as a share of the whole. */
const LEAST = 1e-6;

/** Kept inside the whole range; null: all of it, so that the view grows with a live run. */
export function toKept({ from, to }: XRange, whole: XRange): XRange | null {
  const size = whole.to - whole.from;
  const span = Math.max(to - from, size * LEAST);
  if (!(size > 0) || !Number.isFinite(span) || span >= size) return null;
  const start = Math.min(Math.max(from, whole.from), whole.to - span);
  return { from: start, to: start + span };
}

/** `factor` below 1 zooms in. `around`: the x that keeps its place. */
export function toZoomed({ from, to }: XRange, whole: XRange, factor: number, around: number): XRange | null {
  return toKept({ from: around - (around - from) * factor, to: around + (to - around) * factor }, whole);
}

/** `share` of the view: 0.1 moves a tenth to the right. */
export function toPanned({ from, to }: XRange, whole: XRange, share: number): XRange | null {
  const by = (to - from) * share;
  return toKept({ from: from + by, to: to + by }, whole);
}

/** From the first to the last step that any of the lines has in the range; null: none has one. The service knows curves by steps. */
export function toStepRange(lines: readonly Line[], { from, to }: XRange): XRange | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    const [begin, end] = toPlaces(line, from, to);
    if (end <= begin || (line.xs[0] ?? 0) > to || (line.xs.at(-1) ?? 0) < from) continue;
    first = Math.min(first, line.steps[begin] ?? first);
    last = Math.max(last, line.steps[end - 1] ?? last);
  }
  return first <= last ? { from: Math.floor(first), to: Math.ceil(last) } : null;
}
