// From a line to the places of its corners in a box of pixels, at most a few for each column of pixels. Pure.
import { findPlace, toExtent, toPlaces, type Line } from './line.ts';
import type { XRange } from './xRange.ts';

export interface Frame {
  readonly x: XRange;
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The height of a value; NaN: it has no place (not finite, or not above 0 on a logarithmic axis). */
export function toY({ low, high, isLog, top, bottom }: Frame, value: number): number {
  if (!Number.isFinite(value) || (isLog && value <= 0)) return Number.NaN;
  const span = isLog ? Math.log(high) - Math.log(low) : high - low;
  if (span === 0) return (top + bottom) / 2;
  const share = isLog ? (Math.log(value) - Math.log(low)) / span : (value - low) / span;
  // Far outside, a picture needs only the direction.
  return bottom - Math.min(9, Math.max(-8, share)) * (bottom - top);
}

export function toPixel({ x, left, right }: Frame, value: number): number {
  const span = x.to - x.from;
  return span === 0 ? (left + right) / 2 : left + ((value - x.from) / span) * (right - left);
}

export function fromPixel({ x, left, right }: Frame, pixel: number): number {
  return x.from + ((pixel - left) / (right - left)) * (x.to - x.from);
}

/** Fewer points than this for a column are drawn as they are. */
const DENSE = 3;

/** x and y in turn; a y of NaN breaks the line. */
export type Corners = Float64Array;

function toAllCorners(line: Line, frame: Frame, first: number, end: number): Corners {
  const corners = new Float64Array(2 * (end - first));
  for (let at = first; at < end; at += 1) {
    corners[2 * (at - first)] = toPixel(frame, line.xs[at] ?? 0);
    corners[2 * (at - first) + 1] = toY(frame, line.values[at] ?? Number.NaN);
  }
  return corners;
}

/**
 * `column`: the width in pixels that gets one lowest and one highest value. The picture of the line is the same as with
 * all points, up to that width.
 */
export function toCorners(line: Line, frame: Frame, column = 1): Corners {
  const [first, end] = toPlaces(line, frame.x.from, frame.x.to);
  const columns = Math.max(1, Math.ceil((frame.right - frame.left) / column));
  if (end - first <= DENSE * columns) return toAllCorners(line, frame, first, end);
  const corners = new Float64Array(2 * (2 * columns + 4));
  let count = 0;
  const add = (x: number, y: number): void => {
    corners[count] = x;
    corners[count + 1] = y;
    count += 2;
  };
  const width = (frame.x.to - frame.x.from) / columns;
  let at = first;
  let last = Number.NaN;
  for (let index = -1; index <= columns && at < end; index += 1) {
    const until = index === columns ? end : Math.min(end, findPlace(line.xs, frame.x.from + (index + 1) * width, at));
    if (until <= at) continue;
    const extent = toExtent(line.values, at, until);
    at = until;
    const x = frame.left + (index + 0.5) * column;
    if (extent.low > extent.high) {
      if (!Number.isNaN(last)) add(x, Number.NaN);
      last = Number.NaN;
      continue;
    }
    // On a logarithmic axis the lowest value may have no place; the line then comes from the lower end.
    const low = frame.isLog && extent.low <= 0 ? frame.bottom : toY(frame, extent.low);
    const high = toY(frame, extent.high);
    const isUp = !(Math.abs(last - low) > Math.abs(last - high));
    add(x, isUp ? low : high);
    if (low !== high) add(x, isUp ? high : low);
    last = isUp ? high : low;
  }
  return corners.subarray(0, count);
}

/** The `d` of an SVG path. */
export function toPathText(corners: Corners): string {
  let text = '';
  let isOpen = false;
  for (let at = 0; at < corners.length; at += 2) {
    const [x, y] = [corners[at] ?? 0, corners[at + 1] ?? Number.NaN];
    if (Number.isNaN(y)) {
      isOpen = false;
      continue;
    }
    text += `${isOpen ? 'L' : 'M'}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    isOpen = true;
  }
  return text;
}
