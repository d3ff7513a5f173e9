// Draws the lines of one plot on a canvas, step by step.
import { toHeldOutDashes, toRound, toRoundDashes, toSeriesToken } from '#ui/plots/curveLook.ts';
import type { Line } from './line.ts';
import { toCorners, type Corners, type Frame } from './linePixels.ts';

/** A line with how it looks. */
export interface DrawnLine {
  readonly line: Line;
  /** The same without smoothing, drawn faint behind; null: `line` is not smoothed. */
  readonly raw: Line | null;
  /** Gives colour and dashes. */
  readonly series: number;
  /** Validation values beside those of training: dashes and dots. */
  readonly isHeldOut: boolean;
}

/** Corners of one picture. More lines get wider columns, so that a picture costs about the same. */
const MOST_CORNERS = 80_000;
const CORNERS_A_STEP = 4000;
const MOST_COLUMN = 5;
/** Points are shown where a line has so few, and so far apart in pixels. */
const MOST_DOTS = 40;
const LEAST_GAP = 7;
/** Pixels around the frame, so that points on its edges are whole. */
export const EDGE = 3;
const RAW_OPACITY = 0.22;

/** The width in pixels of one column of a line's picture. */
export function toColumn(lines: number, width: number): number {
  return Math.min(MOST_COLUMN, Math.max(1, Math.ceil((2 * lines * width) / MOST_CORNERS)));
}

export const toWidth = (lines: number): number => (lines > 40 ? 1 : lines > 12 ? 1.25 : 1.75);
const toOpacity = (lines: number): number => (lines > 80 ? 0.6 : lines > 30 ? 0.8 : 1);

export function hasDots(corners: Corners): boolean {
  const count = corners.length / 2;
  const width = (corners.at(-2) ?? 0) - (corners[0] ?? 0);
  return count <= MOST_DOTS && width >= LEAST_GAP * (count - 1);
}

function trace(context: CanvasRenderingContext2D, corners: Corners): void {
  context.beginPath();
  let isOpen = false;
  for (let at = 0; at < corners.length; at += 2) {
    const [x, y] = [corners[at] ?? 0, corners[at + 1] ?? Number.NaN];
    if (Number.isNaN(y)) {
      isOpen = false;
      continue;
    }
    if (isOpen) context.lineTo(x, y);
    else {
      context.moveTo(x, y);
      // A single point between two breaks would be nothing.
      context.lineTo(x + 0.1, y);
    }
    isOpen = true;
  }
  context.stroke();
}

function dot(context: CanvasRenderingContext2D, corners: Corners): void {
  context.beginPath();
  for (let at = 0; at < corners.length; at += 2) {
    const [x, y] = [corners[at] ?? 0, corners[at + 1] ?? Number.NaN];
    if (Number.isNaN(y)) continue;
    context.moveTo(x + 2.5, y);
    context.arc(x, y, 2.5, 0, 2 * Math.PI);
  }
  context.fill();
}

export const toDashesOf = ({ series, isHeldOut }: Pick<DrawnLine, 'series' | 'isHeldOut'>): readonly number[] =>
  (isHeldOut ? toHeldOutDashes : toRoundDashes)(toRound(series));

/** Yields after about 4,000 corners: a few milliseconds. */
export function* paintCurves(
  context: CanvasRenderingContext2D,
  toColor: (token: string) => string,
  lines: readonly DrawnLine[],
  frame: Frame,
) {
  const { left, right, top, bottom } = frame;
  const drawn = lines.reduce((sum, { raw }) => sum + (raw ? 2 : 1), 0);
  const column = toColumn(drawn, right - left);
  const [width, opacity] = [toWidth(drawn), toOpacity(drawn)];
  context.save();
  context.beginPath();
  context.rect(left - EDGE, top - EDGE, right - left + 2 * EDGE, bottom - top + 2 * EDGE);
  context.clip();
  context.lineJoin = 'round';
  // Round ends of thousands of thin lines cost more than they show.
  context.lineCap = drawn > 40 ? 'butt' : 'round';
  let count = 0;
  for (const isBehind of [true, false]) {
    for (const entry of lines) {
      const line = isBehind ? entry.raw : entry.line;
      if (!line) continue;
      const corners = toCorners(line, frame, column);
      const color = toColor(toSeriesToken(entry.series));
      context.strokeStyle = color;
      context.fillStyle = color;
      context.globalAlpha = isBehind ? RAW_OPACITY : opacity;
      context.lineWidth = isBehind ? 1 : width;
      context.setLineDash(isBehind ? [] : [...toDashesOf(entry)]);
      trace(context, corners);
      if (!isBehind && hasDots(corners)) dot(context, corners);
      count += corners.length / 2;
      if (count < CORNERS_A_STEP) continue;
      count = 0;
      yield;
    }
  }
  context.restore();
}
