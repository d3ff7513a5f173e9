// The time for what is shown as elapsed. Data never waits for it.
import { useEffect, useState } from 'react';

/** Now in ms since 1970, once a second while `isRunning`; stands still otherwise. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
