import { startTransition, useEffect, useState, type ReactNode } from 'react';

interface AfterPaintProps {
  /** Shown in the meantime. */
  fallback: ReactNode;
  /** Called once the content around it is painted. */
  render: () => ReactNode;
}

/** True after the first page: later content need not wait. */
let isPageUp = false;

/** A part of the first view that renders after the rest of the page, in a pass that keys and clicks can interrupt. */
export function AfterPaint({ fallback, render }: AfterPaintProps) {
  const [isPainted, setPainted] = useState(isPageUp);
  useEffect(() => {
    // Effects run after the paint; the timer lets the browser run waiting tasks first. Timers also run in a hidden
    // page.
    const timer = setTimeout(() => {
      isPageUp = true;
      startTransition(() => setPainted(true));
    });
    return () => clearTimeout(timer);
  }, []);
  return isPainted ? render() : fallback;
}
