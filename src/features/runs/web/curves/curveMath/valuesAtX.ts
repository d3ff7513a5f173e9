// The values of all lines at one x. Pure.
import { findPlace, type Line } from './line.ts';
import type { XRange } from './xRange.ts';

export interface Reading {
  readonly runId: string;
  readonly name: string;
  readonly value: number;
  readonly step: number;
  /** x of the point that was read. */
  readonly x: number;
}

/** A line that ended further away than this share of the view has no value there. */
const REACH = 0.02;

/** The point of a line that is nearest to `x`; null: the line is not there. */
export function readLine(line: Line, x: number, { from, to }: XRange): Reading | null {
  const { xs, values, steps, runId, name } = line;
  if (xs.length === 0) return null;
  const after = findPlace(xs, x);
  const before = after - 1;
  const isAfter = before < 0 || (after < xs.length && (xs[after] ?? 0) - x < x - (xs[before] ?? 0));
  const at = isAfter ? after : before;
  const isOutside = after === 0 || after === xs.length;
  const point = xs[at] ?? 0;
  if (isOutside && Math.abs(point - x) > (to - from) * REACH) return null;
  return { runId, name, value: values[at] ?? Number.NaN, step: steps[at] ?? Number.NaN, x: point };
}

/**
 * Values of all lines at `x`. `near`: the height that is pointed at (as `toHeight` gives it): the nearest value comes
 * first. Without it, the order of the lines stays. Values that are not finite come last.
 */
export function readLines(
  lines: readonly Line[],
  x: number,
  view: XRange,
  near: { readonly at: number; readonly toHeight: (value: number) => number } | null = null,
): readonly Reading[] {
  const readings = lines.flatMap((line) => readLine(line, x, view) ?? []);
  if (near === null) return readings;
  const distance = ({ value }: Reading): number => {
    const height = near.toHeight(value);
    return Number.isNaN(height) ? Number.POSITIVE_INFINITY : Math.abs(height - near.at);
  };
  const distances = new Map(readings.map((reading) => [reading, distance(reading)]));
  return readings.toSorted((a, b) => {
    const [one, other] = [distances.get(a) ?? 0, distances.get(b) ?? 0];
    return one === other ? 0 : one - other;
  });
}
