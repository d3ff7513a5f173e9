// Whether the page is being left: what its requests come to then says nothing about them.

/** A page that was only about to be left, as by a link that turned out a download, counts as staying after this. */
const LEAVING_MS = 30_000;

export interface Leaving {
  readonly isLeaving: () => boolean;
  readonly close: () => void;
}

/**
 * Watches until it is closed; `onGone` is called once the page goes. Browsers break requests off between the two
 * events.
 */
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
