// The part of a line that is in view, in numbers. Pure.
import { toPlaces, type Line } from './line.ts';
import type { XRange } from './xRange.ts';

export interface LineSummary {
  first: number;
  last: number;
  /** Lowest and highest finite value with their places; NaN: none is finite. */
  low: number;
  lowAt: number;
  high: number;
  highAt: number;
  points: number;
  /** Values that are not finite. */
  broken: number;
}

/** null: no point is in view. */
export function toSummary(line: Line, { from, to }: XRange): LineSummary | null {
  const [begin, end] = toPlaces(line, from, to);
  let summary: LineSummary | null = null;
  for (let at = begin; at < end; at += 1) {
    const [x, value] = [line.xs[at] ?? Number.NaN, line.values[at] ?? Number.NaN];
    if (x < from || x > to) continue;
    summary ??= {
      first: value,
      last: value,
      low: Number.NaN,
      lowAt: Number.NaN,
      high: Number.NaN,
      highAt: Number.NaN,
      points: 0,
      broken: 0,
    };
    summary.last = value;
    summary.points += 1;
    if (!Number.isFinite(value)) {
      summary.broken += 1;
      continue;
    }
    if (!(value >= summary.low)) [summary.low, summary.lowAt] = [value, x];
    if (!(value <= summary.high)) [summary.high, summary.highAt] = [value, x];
  }
  return summary;
}
