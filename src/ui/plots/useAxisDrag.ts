// Turns pointer events on one vertical axis into choices, during a drag and at its end.
import { useEffect, useRef, type PointerEvent } from 'react';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import type { AxisBrush } from '#ui/plots/scales/brush.ts';
import { moveDrag, startDrag, toChoice, toExtent, type Drag } from './brushDrag.ts';

interface AxisDragInput {
  readonly axis: PlotAxis;
  readonly chosen: AxisBrush | undefined;
  /** The choice during a drag; undefined when the drag ends. */
  readonly onPreview: (choice: AxisBrush | null | undefined) => void;
  readonly onChoose: (choice: AxisBrush | null) => void;
}

const REACH_PIXELS = 6;
const CLICK_PIXELS = 3;

interface Gesture {
  readonly drag: Drag;
  readonly box: DOMRect;
  place: number;
}

/** Handlers for the element that fills the axis' stretch of values. A click clears; on categories it chooses one. */
export function useAxisDrag({ axis, chosen, onPreview, onChoose }: AxisDragInput) {
  const gesture = useRef<Gesture | null>(null);
  const cancel = () => {
    if (!gesture.current) return;
    gesture.current = null;
    onPreview(undefined);
  };
  const latest = useRef(cancel);
  useEffect(() => {
    latest.current = cancel;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  const toPlace = (event: PointerEvent, box: DOMRect) => (box.bottom - event.clientY) / box.height;
  const isClick = ({ drag, box, place }: Gesture) => Math.abs(place - drag.start) * box.height < CLICK_PIXELS;
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const box = event.currentTarget.getBoundingClientRect();
      const place = toPlace(event, box);
      event.currentTarget.setPointerCapture(event.pointerId);
      gesture.current = { drag: startDrag(toExtent(axis, chosen), place, REACH_PIXELS / box.height), box, place };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = gesture.current;
      if (!now) return;
      now.place = toPlace(event, now.box);
      if (!isClick(now)) onPreview(toChoice(axis, moveDrag(now.drag, now.place), now.box.height));
    },
    onPointerUp: () => {
      const now = gesture.current;
      if (!now) return;
      gesture.current = null;
      onPreview(undefined);
      if (!isClick(now)) onChoose(toChoice(axis, moveDrag(now.drag, now.place), now.box.height));
      else if (chosen) onChoose(null);
      else if (axis.kind === 'category') onChoose(toChoice(axis, now.drag.extent, now.box.height));
    },
    onPointerCancel: cancel,
  };
}
