// Mounts a long list from its end: the visible items at once, the rest while the page is idle.
import { useEffect, useState } from 'react';

const FIRST = 16;
const STEP = 12;

function whenIdle(callback: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(callback, { timeout: 500 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(callback, 16);
  return () => clearTimeout(timer);
}

/** Index of the first item to render, 0 once all are. */
export function useGrowingList(count: number): number {
  const [from, setFrom] = useState(() => Math.max(0, count - FIRST));
  // A list that became shorter still shows its end.
  const start = Math.min(from, Math.max(0, count - FIRST));
  useEffect(() => {
    if (start === 0) return undefined;
    return whenIdle(() => setFrom(Math.max(0, start - STEP)));
  }, [start]);
  return start;
}
