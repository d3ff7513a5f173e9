// Does something when the page has nothing else to do.

/** What waits for the next idle time, in order. */
const waiting = new Set<() => void>();
let isAsked = false;

/** As much of it as there is time for: what many parts of a page change together is one frame, not one each. */
function runWaiting(deadline: IdleDeadline): void {
  isAsked = false;
  let isFirst = true;
  for (const onIdle of waiting) {
    if (!isFirst && deadline.timeRemaining() <= 0) return ask();
    isFirst = false;
    waiting.delete(onIdle);
    onIdle();
  }
}

function ask(): void {
  if (isAsked) return;
  isAsked = true;
  requestIdleCallback(runWaiting);
}

/** Calls `onIdle` in idle time, after `ms` at the earliest; gives a function that calls it off. */
export function whenIdle(onIdle: () => void, ms: number): () => void {
  // The same function may wait twice.
  const run = (): void => onIdle();
  const timer = setTimeout(() => {
    if (typeof requestIdleCallback !== 'function') return run();
    waiting.add(run);
    ask();
  }, ms);
  return () => {
    clearTimeout(timer);
    waiting.delete(run);
  };
}
