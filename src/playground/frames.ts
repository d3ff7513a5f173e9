// When what has been read is shown: once a frame, and less often when showing takes long. Reading never waits for it.
// It must not know what is shown.

export interface FrameDeps {
  readonly now: () => number;
  readonly isHidden: () => boolean;
  readonly requestFrame: (callback: () => void) => void;
}

export interface Frames {
  /** Something new is there: `show` runs in the next frame that is due. */
  readonly request: () => void;
  /** Runs `show` at once. */
  readonly flush: () => void;
  /** How long the view took the last time, in milliseconds. */
  readonly reportCost: (ms: number) => void;
}

/** A hidden page has no frames; what is kept of an answer is still brought up to date this often. */
const HIDDEN_MS = 1000;
/** Showing may take this share of the time at most, so that a page with a pathological answer still reacts. */
const MAX_SHARE = 0.3;
/** What fits into a frame is never held back. */
const FREE_MS = 6;

export function openFrames(show: () => void, { now, isHidden, requestFrame }: FrameDeps): Frames {
  let isWaiting = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  let cost = 0;
  const flush = (): void => {
    shownAt = now();
    show();
  };
  const onFrame = (): void => {
    const isDue = cost <= FREE_MS || now() - shownAt >= cost / MAX_SHARE;
    if (!isDue) {
      requestFrame(onFrame);
      return;
    }
    isWaiting = false;
    flush();
  };
  return {
    request: () => {
      if (isHidden() && now() - shownAt >= HIDDEN_MS) flush();
      if (isWaiting) return;
      isWaiting = true;
      requestFrame(onFrame);
    },
    flush,
    reportCost: (ms) => {
      cost = ms;
    },
  };
}
