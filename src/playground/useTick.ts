// The time of now, renewed while something on the screen counts seconds.
import { useEffect, useState } from 'react';

/** Unix milliseconds, renewed every `everyMs`; null stops it. */
export function useTick(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
