// A drag over an area as two drags along its axes. Places are fractions.
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { brushAxis, type Brush } from '#ui/plots/scales/brush.ts';
import { moveDrag, startDrag, toChoice, toExtent, type Drag, type Extent } from './brushDrag.ts';

export interface RectDrag {
  readonly x: Drag;
  readonly y: Drag;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Fractions of the area. */
export interface Rect {
  readonly x: Extent;
  readonly y: Extent;
}

const ALL: Extent = { from: 0, to: 1 };

/** Grips an edge, a corner or the whole selection; anywhere else it starts a new rectangle. */
export function startRect(x: Extent | null, y: Extent | null, start: Place, reach: Place): RectDrag {
  const fresh = { x: startDrag(null, start.x, 0), y: startDrag(null, start.y, 0) };
  if (!x && !y) return fresh;
  const [a, b] = [startDrag(x ?? ALL, start.x, x ? reach.x : -1), startDrag(y ?? ALL, start.y, y ? reach.y : -1)];
  if (a.grip === 'new' || b.grip === 'new') return fresh;
  // Pulling one side leaves the other axis alone.
  const rest = (drag: Drag, other: Drag): Drag =>
    drag.grip === 'whole' && other.grip !== 'whole' ? { ...drag, grip: 'still' } : drag;
  return { x: rest(a, b), y: rest(b, a) };
}

/** The brush when the rectangle's drag is at `place`; `pixels` is the size of the area. */
export function toRectBrush(
  brush: Brush,
  axes: { readonly x: PlotAxis; readonly y: PlotAxis },
  drag: RectDrag,
  place: Place,
  pixels: Place,
): Brush {
  return (['x', 'y'] as const).reduce((next, side) => {
    const axis = axes[side];
    // A category axis has no edges to pull: only a new rectangle changes its selection.
    if (drag[side].grip === 'still' || (axis.kind === 'category' && drag[side].grip !== 'new')) return next;
    const choice = toChoice(axis, moveDrag(drag[side], place[side]), pixels[side], side === 'x');
    return brushAxis(next, axis.id, choice);
  }, brush);
}

/** The selected rectangle; null if neither axis has a selected stretch. */
export function toRect(brush: Brush, x: PlotAxis, y: PlotAxis): Rect | null {
  const [a, b] = [toExtent(x, brush.get(x.id)), toExtent(y, brush.get(y.id))];
  return a || b ? { x: a ?? ALL, y: b ?? ALL } : null;
}
