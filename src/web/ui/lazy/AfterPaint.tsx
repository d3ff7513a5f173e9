import { startTransition, useEffect, useState, type ReactNode } from 'react';

interface AfterPaintProps {
  /** Shown in the meantime. */
  fallback: ReactNode;
  /** Called once what stands around it has been painted. */
  render: () => ReactNode;
}

/** Once a page is up there is nothing left to come first. */
let isPageUp = false;

/**
 * A part of the first view that comes after the rest of the page, in a pass of its own that keys and clicks may
 * interrupt.
 */
export function AfterPaint({ fallback, render }: AfterPaintProps) {
  const [isPainted, setPainted] = useState(isPageUp);
  useEffect(() => {
    // Effects run after the paint; the timer lets the browser do what waited behind it. A hidden page has timers too.
    const timer = setTimeout(() => {
      isPageUp = true;
      startTransition(() => setPainted(true));
    });
    return () => clearTimeout(timer);
  }, []);
  return isPainted ? render() : fallback;
}
