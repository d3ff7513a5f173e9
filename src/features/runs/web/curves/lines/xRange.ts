// Zoom and pan of the x axis, which all plots share. Pure.
import type { XRange } from './valueRange.ts';

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
