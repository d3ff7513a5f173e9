// Turns pointer events over an area of a plot into choices, during a drag and at its end.
import { useEffect, useRef, type PointerEvent } from 'react';
import type { Place } from './rectDrag.ts';

interface PlotDragInput<Drag, Choice> {
  /** What a press at a place grips. Places are fractions of the area from its lower left; `pixels`: its size. */
  readonly start: (place: Place, reach: Place) => Drag;
  readonly toChoice: (drag: Drag, place: Place, pixels: Place) => Choice;
  /** The choice during a drag; undefined when the drag ends. */
  readonly onPreview: (choice: Choice | undefined) => void;
  readonly onChoose: (choice: Choice) => void;
  /** The pointer went down and up at one place. */
  readonly onClick: (drag: Drag, pixels: Place) => void;
}

const REACH_PIXELS = 6;
const CLICK_PIXELS = 3;

interface Gesture<Drag> {
  readonly drag: Drag;
  readonly box: DOMRect;
  readonly down: Place;
  place: Place;
}

/** Handlers for the element that fills the area. Escape gives a drag up. */
export function usePlotDrag<Drag, Choice>({
  start,
  toChoice,
  onPreview,
  onChoose,
  onClick,
}: PlotDragInput<Drag, Choice>) {
  const gesture = useRef<Gesture<Drag> | null>(null);
  const finish = () => {
    const now = gesture.current;
    gesture.current = null;
    if (now) onPreview(undefined);
    return now;
  };
  const latest = useRef(finish);
  useEffect(() => {
    latest.current = finish;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  const toPlace = (event: PointerEvent, box: DOMRect): Place => ({
    x: (event.clientX - box.left) / box.width,
    y: (box.bottom - event.clientY) / box.height,
  });
  const toPixels = (box: DOMRect): Place => ({ x: box.width, y: box.height });
  const isClick = ({ box, down, place }: Gesture<Drag>) =>
    Math.hypot((place.x - down.x) * box.width, (place.y - down.y) * box.height) < CLICK_PIXELS;
  const readChoice = ({ drag, place, box }: Gesture<Drag>) => toChoice(drag, place, toPixels(box));
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const box = event.currentTarget.getBoundingClientRect();
      const place = toPlace(event, box);
      event.currentTarget.setPointerCapture(event.pointerId);
      const drag = start(place, { x: REACH_PIXELS / box.width, y: REACH_PIXELS / box.height });
      gesture.current = { drag, box, down: place, place };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = gesture.current;
      if (!now) return;
      now.place = toPlace(event, now.box);
      if (!isClick(now)) onPreview(readChoice(now));
    },
    onPointerUp: () => {
      const now = finish();
      if (!now) return;
      if (isClick(now)) onClick(now.drag, toPixels(now.box));
      else onChoose(readChoice(now));
    },
    onPointerCancel: finish,
  };
}
