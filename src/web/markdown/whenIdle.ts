// Does something when the page has nothing else to do.

/** Calls `onIdle` in idle time, after `ms` at the earliest; gives a function that calls it off. */
export function whenIdle(onIdle: () => void, ms: number): () => void {
  let request = 0;
  const timer = setTimeout(() => {
    if (typeof requestIdleCallback === 'function') request = requestIdleCallback(onIdle);
    else onIdle();
  }, ms);
  return () => {
    clearTimeout(timer);
    if (request !== 0) cancelIdleCallback(request);
  };
}
