// Pointer, wheel and keys in the area of a plot: point, zoom, pan.
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { reduceWalk } from '#ui/plots/spotWalk.ts';
import { fromPixel, toPixel, type Frame } from '#features/runs/web/curves/curveMath/linePixels.ts';
import type { SharedPointer } from './pointer.ts';
import { type XRange, toKept, toPanned, toZoomed } from '#features/runs/web/curves/curveMath/xRange.ts';

interface AreaInput {
  readonly plot: string;
  readonly frame: Frame;
  /** The x of all curves. */
  readonly whole: XRange;
  readonly pointer: SharedPointer;
  /** null: all. */
  readonly onZoom: (range: XRange | null) => void;
}

/** Places that keys walk through. */
const PLACES = 101;
const ZOOM = 0.6;
const PAN = 0.1;
/** A shorter drag is a click. */
const LEAST_DRAG = 5;

interface Drag {
  readonly kind: 'zoom' | 'pan';
  readonly start: number;
  readonly at: number;
  readonly view: XRange;
}

export interface AreaActions {
  /** The part that a drag would zoom to, in pixels. */
  readonly marked: readonly [number, number] | null;
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerCancel: () => void;
    readonly onPointerLeave: () => void;
    readonly onDoubleClick: () => void;
    readonly onBlur: () => void;
  };
}

/** The ref is for the element that gets the handlers. */
export function useAreaActions({
  plot,
  frame,
  whole,
  pointer,
  onZoom,
}: AreaInput): readonly [RefObject<HTMLDivElement | null>, AreaActions] {
  const ref = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useRef({ frame, whole, onZoom });
  useEffect(() => {
    latest.current = { frame, whole, onZoom };
  });

  // React listens to the wheel passively, so it could not keep the page from zooming.
  useEffect(() => {
    const element = ref.current;
    const onWheel = (event: WheelEvent) => {
      const { frame: now, whole: all, onZoom: zoom } = latest.current;
      const isZoom = event.ctrlKey || event.metaKey;
      const across = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (!element || (!isZoom && across === 0)) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const around = fromPixel(now, now.left + event.clientX - box.left);
      zoom(
        isZoom
          ? toZoomed(now.x, all, Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), around)
          : toPanned(now.x, all, across / Math.max(1, box.width)),
      );
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);

  const toLocal = (event: PointerEvent<HTMLElement>): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = Math.min(box.width, Math.max(0, event.clientX - box.left));
    return [frame.left + x, frame.top + event.clientY - box.top];
  };
  const point = (x: number, y: number | null): void => pointer.set({ x, y, plot });

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pointed = pointer.read();
    const isPointed = pointed !== null && pointed.x >= frame.x.from && pointed.x <= frame.x.to;
    const around = isPointed ? pointed.x : (frame.x.from + frame.x.to) / 2;
    const act = (): boolean => {
      if (event.key === '+' || event.key === '=') onZoom(toZoomed(frame.x, whole, ZOOM, around));
      else if (event.key === '-' || event.key === '_') onZoom(toZoomed(frame.x, whole, 1 / ZOOM, around));
      else if (event.key === '0') onZoom(null);
      else if (event.shiftKey && event.key === 'ArrowRight') onZoom(toPanned(frame.x, whole, PAN) ?? null);
      else if (event.shiftKey && event.key === 'ArrowLeft') onZoom(toPanned(frame.x, whole, -PAN) ?? null);
      else if (event.key === 'Escape') {
        if (drag === null && pointed === null) return false;
        setDrag(null);
        pointer.set(null);
      } else {
        const span = frame.x.to - frame.x.from;
        const at = isPointed && span > 0 ? Math.round(((pointed.x - frame.x.from) / span) * (PLACES - 1)) : null;
        const next = reduceWalk(at, PLACES, event.key);
        if (next === null) return false;
        point(frame.x.from + (next / (PLACES - 1)) * span, null);
      }
      return true;
    };
    if (!act()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button > 1) return;
    const [x] = toLocal(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ kind: event.shiftKey || event.button === 1 ? 'pan' : 'zoom', start: x, at: x, view: frame.x });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const [x, y] = toLocal(event);
    point(fromPixel(frame, x), y);
    if (!drag) return;
    setDrag({ ...drag, at: x });
    if (drag.kind === 'pan') onZoom(toPanned(drag.view, whole, (drag.start - x) / (frame.right - frame.left)));
  };
  const onPointerUp = (): void => {
    if (drag?.kind === 'zoom' && Math.abs(drag.at - drag.start) >= LEAST_DRAG) {
      const [from, to] = [drag.start, drag.at].toSorted((a, b) => a - b).map((x) => fromPixel(frame, x));
      onZoom(toKept({ from: from ?? 0, to: to ?? 0 }, whole));
    }
    setDrag(null);
  };
  const actions: AreaActions = {
    marked:
      drag?.kind === 'zoom' && Math.abs(drag.at - drag.start) >= LEAST_DRAG
        ? [Math.min(drag.start, drag.at), Math.max(drag.start, drag.at)]
        : null,
    handlers: {
      onKeyDown,
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => setDrag(null),
      onPointerLeave: () => drag === null && pointer.set(null),
      onDoubleClick: () => onZoom(null),
      onBlur: () => pointer.set(null),
    },
  };
  return [ref, actions];
}

/** For the words of the slider. */
export const toPercent = (frame: Frame, x: number): number =>
  Math.round(((toPixel(frame, x) - frame.left) / Math.max(1, frame.right - frame.left)) * 100);
