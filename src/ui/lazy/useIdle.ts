// Whether the browser has been idle once since the mount, so that less important work can wait.
import { useEffect, useState } from 'react';

const LONGEST_MS = 1500;
/** For browsers without idle callbacks. */
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
