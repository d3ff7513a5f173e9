import { useEffect, useRef, useSyncExternalStore } from 'react';
import { FRAME_SLICES, startSlices } from '#web/ui/timing/slices.ts';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}

/** Another text in another theme: what is painted doesn't follow the theme's tokens by itself. */
function useThemeKey(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.className);
}

interface SlicedCanvasProps {
  width: number;
  height: number;
  /** Draws step by step; `toColor` reads a token such as `--s1`. A new function is a new picture. */
  paint: (context: CanvasRenderingContext2D, toColor: (token: string) => string) => Iterator<unknown>;
}

/**
 * A browser notes strokes and draws them all when the picture is looked at: looking after each step keeps steps honest.
 */
function* toDrawn(context: CanvasRenderingContext2D, steps: Iterator<unknown>) {
  while (steps.next().done !== true) {
    context.getImageData(0, 0, 1, 1);
    yield;
  }
}

/** A picture of thousands of marks. It is painted beside the shown one, which is replaced when the new one is whole. */
export function SlicedCanvas({ width, height, paint }: SlicedCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const wanted = useRef<(() => void) | null>(null);
  const isRunning = useRef(false);
  const stop = useRef<() => void>(() => undefined);
  const theme = useThemeKey();

  useEffect(() => {
    const start = () => {
      wanted.current = null;
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
        // Which colours the picture has, for whoever waits for it.
        canvas.dataset.theme = theme;
        canvas.getContext('2d')?.drawImage(buffer, 0, 0);
        wanted.current?.();
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
    // While a picture is painted the latest wish waits: beginning anew at each change would never end during a drag.
    if (isRunning.current) wanted.current = start;
    else start();
  }, [width, height, paint, theme]);

  useEffect(
    () => () => {
      stop.current();
      isRunning.current = false;
      wanted.current = null;
    },
    [],
  );

  return <canvas ref={ref} aria-hidden style={{ width, height }} className="pointer-events-none absolute inset-0" />;
}
