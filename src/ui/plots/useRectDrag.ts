// Turns pointer events on the area of a scatter plot into brushes, during a drag and at its end.
import { useRef, type PointerEvent } from 'react';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import type { Brush } from '#ui/plots/scales/brush.ts';
import { toExtent } from './brushDrag.ts';
import { startRect, toRectBrush, type Place, type RectDrag } from './rectDrag.ts';

interface RectDragInput {
  readonly axes: { readonly x: PlotAxis; readonly y: PlotAxis };
  readonly brush: Brush;
  readonly onPreview: (brush: Brush | null) => void;
  readonly onBrush: (brush: Brush) => void;
  /** The pointer went down and up at one place. */
  readonly onClick: () => void;
}

const REACH_PIXELS = 6;
const CLICK_PIXELS = 3;

interface Gesture {
  readonly drag: RectDrag;
  readonly box: DOMRect;
  readonly down: Place;
  /** null until the pointer has moved further than in a click. */
  next: Brush | null;
}

export function useRectDrag({ axes, brush, onPreview, onBrush, onClick }: RectDragInput) {
  const gesture = useRef<Gesture | null>(null);
  const toPlace = (event: PointerEvent, box: DOMRect): Place => ({
    x: (event.clientX - box.left) / box.width,
    y: (box.bottom - event.clientY) / box.height,
  });
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const box = event.currentTarget.getBoundingClientRect();
      event.currentTarget.setPointerCapture(event.pointerId);
      const [x, y] = [toExtent(axes.x, brush.get(axes.x.id)), toExtent(axes.y, brush.get(axes.y.id))];
      const drag = startRect(x, y, toPlace(event, box), { x: REACH_PIXELS / box.width, y: REACH_PIXELS / box.height });
      gesture.current = { drag, box, down: { x: event.clientX, y: event.clientY }, next: null };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = gesture.current;
      if (!now || (!now.next && Math.hypot(event.clientX - now.down.x, event.clientY - now.down.y) < CLICK_PIXELS))
        return;
      now.next = toRectBrush(brush, axes, now.drag, toPlace(event, now.box), { x: now.box.width, y: now.box.height });
      onPreview(now.next);
    },
    onPointerUp: () => {
      const now = gesture.current;
      gesture.current = null;
      onPreview(null);
      if (now?.next) onBrush(now.next);
      else if (now) onClick();
    },
    onPointerCancel: () => {
      gesture.current = null;
      onPreview(null);
    },
  };
}
