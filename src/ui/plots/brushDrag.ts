// A drag along one axis in pure steps: the gripped part, the ends during the drag, the selection. Places are fractions,
// as in `scale`.
import { toShortName } from '#core/contract/shortName.ts';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { MISSING, type AxisBrush } from '#ui/plots/scales/brush.ts';
import { toCategoryFraction, toEdge, toFraction } from '#ui/plots/scales/scale.ts';

export interface Extent {
  readonly from: number;
  readonly to: number;
}

export interface Drag {
  readonly grip: 'new' | 'from' | 'to' | 'whole' | 'still';
  readonly start: number;
  readonly extent: Extent;
}

/** The selected stretch of a number axis; null without one (missing values and categories are no stretch). */
export function toExtent(axis: PlotAxis, chosen: AxisBrush | undefined): Extent | null {
  if (chosen?.kind !== 'range' || axis.kind !== 'number') return null;
  return {
    from: chosen.from === null ? 0 : toFraction(axis, chosen.from),
    to: chosen.to === null ? 1 : toFraction(axis, chosen.to),
  };
}

/** Grips an edge within `reach`, else the whole extent if the start is inside it, else starts a new one. */
export function startDrag(extent: Extent | null, start: number, reach: number): Drag {
  if (!extent) return { grip: 'new', start, extent: { from: start, to: start } };
  const [low, high] = [Math.abs(start - extent.from), Math.abs(start - extent.to)];
  if (Math.min(low, high) <= reach) return { grip: low < high ? 'from' : 'to', start, extent };
  if (start > extent.from && start < extent.to) return { grip: 'whole', start, extent };
  return { grip: 'new', start, extent: { from: start, to: start } };
}

/** The extent when the drag is at `place`. A moved extent stops at the ends and keeps its length. */
export function moveDrag(drag: Drag, place: number): Extent {
  const at = Math.min(1, Math.max(0, place));
  const { from, to } = drag.extent;
  if (drag.grip === 'still') return drag.extent;
  if (drag.grip === 'whole') {
    const shift = Math.min(1 - to, Math.max(-from, place - drag.start));
    return { from: from + shift, to: to + shift };
  }
  const other = drag.grip === 'from' ? to : drag.grip === 'to' ? from : drag.start;
  return { from: Math.min(other, at), to: Math.max(other, at) };
}

/** An end this close to the end of the axis is open: "at most" rather than "from the smallest shown value". */
const OPEN_PIXELS = 2;

/**
 * The selection of an extent; null if that is everything. On a category axis: the categories inside, else the nearest.
 */
export function toChoice(axis: PlotAxis, extent: Extent, pixels: number, isAcross = false): AxisBrush | null {
  if (axis.kind === 'number') {
    const open = OPEN_PIXELS / pixels;
    const from = extent.from <= open ? null : toEdge(axis, extent.from, pixels);
    const to = extent.to >= 1 - open ? null : toEdge(axis, extent.to, pixels);
    return from === null && to === null ? null : { kind: 'range', from, to };
  }
  const places = axis.categories.map((category, index) => ({
    category,
    place: toCategoryFraction(axis, index, isAcross),
  }));
  const inside = places.filter(({ place }) => place >= extent.from && place <= extent.to);
  const middle = (extent.from + extent.to) / 2;
  const nearest = places.toSorted((a, b) => Math.abs(a.place - middle) - Math.abs(b.place - middle)).slice(0, 1);
  const values = (inside.length > 0 ? inside : nearest).map(({ category }) => category);
  return values.length === axis.categories.length && !axis.hasMissing ? null : { kind: 'values', values };
}

/** Adds a value to an axis' selection, or removes it; null if none remains. It replaces a range. */
export function toggleValue(chosen: AxisBrush | undefined, text: string): AxisBrush | null {
  const value = toShortName(text);
  const values = chosen?.kind === 'values' ? chosen.values : [];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return next.length === 0 ? null : { kind: 'values', values: next };
}

export const isMissingChosen = (chosen: AxisBrush | undefined): boolean =>
  chosen?.kind === 'values' && chosen.values.includes(MISSING);
