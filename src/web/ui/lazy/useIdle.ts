// Whether the browser has come to rest once since something was put on show, so that what is not needed at first can
// wait.
import { useEffect, useState } from 'react';

const LONGEST_MS = 1500;
/** Where a browser does not tell when it is idle. */
const SHORT_MS = 300;

export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const rest = () => setIdle(true);
    if (typeof window.requestIdleCallback === 'function') {
      const handle = window.requestIdleCallback(rest, { timeout: LONGEST_MS });
      return () => window.cancelIdleCallback(handle);
    }
    const timer = setTimeout(rest, SHORT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}
