// The time for what is shown as "2 s ago" or as elapsed. Data never waits for it, nothing exact may use it.
import { useEffect, useState } from 'react';

/** Unix time in ms, renewed every `everyMs` while the page is on show. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}
