import { useEffect, useRef, useSyncExternalStore } from 'react';
import { FRAME_SLICES, startSlices } from '#ui/timing/slices.ts';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Differs between themes: a painted picture does not follow the theme's tokens. */
function useThemeKey(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.className);
}

interface SlicedCanvasProps {
  width: number;
  height: number;
  /** Draws step by step; `toColor` reads a token such as `--series-1`. A new function is a new picture. */
  paint: (context: CanvasRenderingContext2D, toColor: (token: string) => string) => Iterator<unknown>;
}

/**
 * A browser records strokes and draws all of them when pixels are read. Reading after each step makes each
 * step draw its own.
 */
function* toDrawn(context: CanvasRenderingContext2D, steps: Iterator<unknown>) {
  while (steps.next().done !== true) {
    context.getImageData(0, 0, 1, 1);
    yield;
  }
}

/** A picture of thousands of marks. It is painted off-screen and replaces the shown one when it is complete. */
export function SlicedCanvas({ width, height, paint }: SlicedCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const pendingStart = useRef<(() => void) | null>(null);
  const isRunning = useRef(false);
  const stop = useRef<() => void>(() => undefined);
  const theme = useThemeKey();

  useEffect(() => {
    const start = () => {
      pendingStart.current = null;
      const canvas = ref.current;
      const buffer = document.createElement('canvas');
      const context = buffer.getContext('2d', { willReadFrequently: true });
      if (!canvas || !context || width === 0) return;
      const density = window.devicePixelRatio;
      buffer.width = Math.round(width * density);
      buffer.height = Math.round(height * density);
      context.scale(density, density);
      const style = getComputedStyle(canvas);
      isRunning.current = true;
      const done = () => {
        isRunning.current = false;
        canvas.width = buffer.width;
        canvas.height = buffer.height;
        // The theme of the picture, for code that waits for it.
        canvas.dataset.theme = theme;
        canvas.getContext('2d')?.drawImage(buffer, 0, 0);
        pendingStart.current?.();
      };
      stop.current = startSlices(
        toDrawn(
          context,
          paint(context, (token) => style.getPropertyValue(token)),
        ),
        FRAME_SLICES,
        done,
      );
    };
    // The latest change waits until the current picture is done: restarting at each change would never end in a drag.
    if (isRunning.current) pendingStart.current = start;
    else start();
  }, [width, height, paint, theme]);

  useEffect(
    () => () => {
      stop.current();
      isRunning.current = false;
      pendingStart.current = null;
    },
    [],
  );

  return <canvas ref={ref} aria-hidden style={{ width, height }} className="pointer-events-none absolute inset-0" />;
}
