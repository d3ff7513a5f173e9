// Geometry of the parallel plot: its layout, one height per row and axis, the nearest line to a point, SVG paths. Pure.
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { LEAST_HEAD_LINES, toHeadLines } from '#ui/plots/scales/headLines.ts';
import { toFractions } from '#ui/plots/scales/scale.ts';

/** Heights in pixels from the top: the stretch of values, and the place of missing ones. */
export interface PlotBox {
  readonly top: number;
  readonly bottom: number;
  readonly missing: number;
}

export interface Lines {
  /** Place of each axis. */
  readonly xs: readonly number[];
  /** Row by row, one height for each axis. */
  readonly ys: Float64Array;
  readonly count: number;
}

export function toLines(axes: readonly PlotAxis[], xs: readonly number[], box: PlotBox): Lines {
  const count = axes[0]?.values.length ?? 0;
  const ys = new Float64Array(count * axes.length);
  for (const [place, axis] of axes.entries()) {
    for (const [row, fraction] of toFractions(axis).entries()) {
      ys[row * axes.length + place] = fraction === null ? box.missing : box.bottom - fraction * (box.bottom - box.top);
    }
  }
  return { xs, ys, count };
}

const MOST_LEFT = 140;
const CHARACTER = 7;

/** Pixels left of the first axis, for half of its name and for its categories. */
export function toLeftRoom(first: PlotAxis | undefined, least: number): number {
  if (first?.kind !== 'category') return least;
  const longest = first.categories.reduce((most, category) => Math.max(most, first.toText(category).length), 0);
  return Math.min(MOST_LEFT, Math.max(least, longest * CHARACTER + 16));
}

/** Places of axes over a width, at equal distances; a single axis is in the middle. */
export function toAxisPlaces(count: number, left: number, right: number): readonly number[] {
  if (count === 1) return [(left + right) / 2];
  return Array.from({ length: count }, (_, index) => left + ((right - left) * index) / (count - 1));
}

/** Pixels. */
export const PLOT_HEIGHT = 230;
const LEAST_AXIS_WIDTH = 70;
const SIDE = 62;
/** The last axis' name is centred over it, and must not reach beyond the plot. */
const MOST_HEAD_WIDTH = 2 * SIDE;
const HEADS = 64;
/** Height of a line of an axis' name. */
const LINE = 14;

export interface PlotLayout {
  /** Of the whole plot, which may be wider than its room. */
  readonly width: number;
  /** Of each axis' name. */
  readonly headWidth: number;
  /** Place of each axis. */
  readonly xs: readonly number[];
  readonly box: PlotBox;
}

/** `room`: pixels that the plot may fill; it takes more where its axes need them. */
export function toPlotLayout(axes: readonly PlotAxis[], room: number): PlotLayout {
  const left = toLeftRoom(axes[0], SIDE);
  const gaps = axes.length - 1;
  const width = Math.max(room, left + SIDE + gaps * LEAST_AXIS_WIDTH);
  const headWidth = gaps > 0 ? Math.min(MOST_HEAD_WIDTH, (width - left - SIDE) / gaps - 8) : MOST_HEAD_WIDTH;
  const labels = axes.map(({ label }) => label);
  // The third line of a long name takes its room from the axes: the height of the plot stays, so nothing below moves.
  const top = HEADS + LINE * (toHeadLines(labels, headWidth) - LEAST_HEAD_LINES);
  const hasMissing = axes.some((axis) => axis.hasMissing);
  return {
    width,
    headWidth,
    xs: toAxisPlaces(axes.length, left, width - SIDE),
    box: { top, bottom: PLOT_HEIGHT - (hasMissing ? 36 : 12), missing: PLOT_HEIGHT - 12 },
  };
}

/**
 * The row whose line is closest above or below a point; null if none is within `reach` pixels. Later rows are on top.
 */
export function findNearestLine(
  lines: Lines,
  x: number,
  y: number,
  reach: number,
  isOn: (row: number) => boolean,
): number | null {
  const { xs, ys, count } = lines;
  const right = xs.findIndex((place) => place >= x);
  const [a, b] = right < 0 ? [xs.length - 1, xs.length - 1] : [Math.max(0, right - 1), right];
  const [from = 0, to = 0] = [xs[a], xs[b]];
  const part = to === from ? 0 : (x - from) / (to - from);
  let [best, distance] = [-1, reach];
  for (let row = 0; row < count; row += 1) {
    const start = ys[row * xs.length + a] ?? 0;
    const away = Math.abs(start + ((ys[row * xs.length + b] ?? 0) - start) * part - y);
    if (away <= distance && isOn(row)) [best, distance] = [row, away];
  }
  return best < 0 ? null : best;
}

const toPixel = (value: number): number => Math.round(value * 10) / 10;

/** The line of a row as an SVG path. */
export function toPath({ xs, ys }: Lines, row: number): string {
  return xs
    .map((x, index) => `${index === 0 ? 'M' : 'L'}${toPixel(x)} ${toPixel(ys[row * xs.length + index] ?? 0)}`)
    .join('');
}
