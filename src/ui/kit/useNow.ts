// The time for what is shown as "2 s ago" or as elapsed. Data never waits for it, nothing exact may use it.
import { useEffect, useState } from 'react';

/** Unix time in ms, renewed every `everyMs` while the page is on show. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) setNow(Date.now());
    };
    // All that tick do so together: one frame for them, not one each.
    let timer: ReturnType<typeof setInterval>;
    const start = setTimeout(
      () => {
        tick();
        timer = setInterval(tick, everyMs);
      },
      everyMs - (Date.now() % everyMs),
    );
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(start);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}
