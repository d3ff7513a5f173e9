// Whether the page is unloading. Failures of its requests mean nothing then.

/** After this time the page counts as staying: it only seemed to unload, for example for a link that was a download. */
const LEAVING_MS = 30_000;

export interface Leaving {
  readonly isLeaving: () => boolean;
  readonly close: () => void;
}

/** Watches until `close`; calls `onGone` when the page unloads. Browsers abort requests between the two events. */
export function watchPageLeaving(
  page: EventTarget,
  onGone: () => void,
  now: () => number = () => performance.now(),
): Leaving {
  let leftAt = -Infinity;
  const onLeave = (): void => void (leftAt = now());
  const onHide = (): void => {
    onLeave();
    onGone();
  };
  page.addEventListener('beforeunload', onLeave);
  page.addEventListener('pagehide', onHide);
  return {
    isLeaving: () => now() - leftAt < LEAVING_MS,
    close() {
      page.removeEventListener('beforeunload', onLeave);
      page.removeEventListener('pagehide', onHide);
    },
  };
}
