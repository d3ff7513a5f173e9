// Layout of a scatter plot: places of points, points at the same place, and the labels that fit. Pure.
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { toCategoryFraction, toFraction, toFractions } from '#ui/plots/scales/scale.ts';

/** Pixels from the upper left corner of the plot. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Places of missing values: left of the area, and below it. */
  readonly missingX: number;
  readonly missingY: number;
}

/** Leaves room for labels at the left and below, and for missing values if there are any. */
export function toArea(across: PlotAxis, upright: PlotAxis, width: number, height: number): Area {
  const labels = upright.kind === 'category' ? 104 : 56;
  const left = labels + (across.hasMissing ? 40 : 0);
  const bottom = height - (upright.hasMissing ? 48 : 26);
  return { left, right: Math.max(left + 40, width - 18), top: 10, bottom, missingX: labels + 8, missingY: height - 10 };
}

/** Rows at one place. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  /** Never empty. */
  readonly rows: readonly number[];
}

/** Spots in the order of x, then from the top; the rows of a spot in their own order. */
export function toSpots(across: PlotAxis, upright: PlotAxis, area: Area): readonly Spot[] {
  const ups = toFractions(upright);
  const spots = new Map<string, { x: number; y: number; rows: number[] }>();
  for (const [row, along] of toFractions(across, true).entries()) {
    const up = ups[row] ?? null;
    const x = along === null ? area.missingX : Math.round(area.left + along * (area.right - area.left));
    const y = up === null ? area.missingY : Math.round(area.bottom - up * (area.bottom - area.top));
    const spot = spots.get(`${x} ${y}`);
    if (spot) spot.rows.push(row);
    else spots.set(`${x} ${y}`, { x, y, rows: [row] });
  }
  return [...spots.values()].sort((a, b) => a.x - b.x || a.y - b.y);
}

/** Place of the spot closest to a point, within `reach` pixels; null when there is none. */
export function findNearestSpot(spots: readonly Spot[], x: number, y: number, reach: number): number | null {
  let [best, distance] = [-1, reach];
  for (const [index, spot] of spots.entries()) {
    const away = Math.hypot(spot.x - x, spot.y - y);
    if (away <= distance) [best, distance] = [index, away];
  }
  return best < 0 ? null : best;
}

export interface AxisLabel {
  readonly text: string;
  /** A fraction of the axis. */
  readonly at: number;
}

/** Labels of an axis that fit. `room`: the part of the axis that a label takes. Labels never touch. */
export function toAxisLabels(axis: PlotAxis, isAcross: boolean, room: (text: string) => number): readonly AxisLabel[] {
  const all =
    axis.kind === 'number'
      ? axis.ticks.map((tick) => ({ text: tick.label, at: toFraction(axis, tick.value) }))
      : axis.categories.map((category, index) => ({
          text: axis.toText(category),
          at: toCategoryFraction(axis, index, isAcross),
        }));
  const shown: AxisLabel[] = [];
  for (const label of all.toSorted((a, b) => a.at - b.at)) {
    const last = shown.at(-1);
    if (!last || label.at - last.at >= (room(label.text) + room(last.text)) / 2) shown.push(label);
  }
  return shown;
}
