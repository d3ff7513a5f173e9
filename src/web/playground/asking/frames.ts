// When what has been read is shown: in a frame, at most 30 times a second, and less often when text comes fast or
// showing takes long. Reading never waits for it.

export interface FrameDeps {
  readonly now: () => number;
  readonly isHidden: () => boolean;
  readonly requestFrame: (callback: () => void) => void;
  readonly later: (callback: () => void, ms: number) => void;
  /** More has come than a view holds: what would be shown now is out of sight with the next show. */
  readonly isFlooded: () => boolean;
  /** Calls back once what `show` has changed is rendered, laid out and painted. */
  readonly afterFrame: (callback: () => void) => void;
}

export interface Frames {
  /** Something new is there: `show` runs in the next frame that is due. */
  readonly request: () => void;
}

/** A hidden page has no frames; what is kept of an answer is still brought up to date this often. */
const HIDDEN_MS = 1000;
/** Every second frame: text does not look smoother at 60 a second, and showing it is most of what streaming costs. */
const GAP_MS = 30;
/** A stream that brings this many batches between two shows is faster than anyone reads. */
const FAST_BATCHES = 20;
const FAST_GAP_MS = 50;
/** A flood is shown this often, and its end at once. */
const FLOOD_GAP_MS = 150;
/**
 * Showing may take this share of the time at most, so that a page with a very fast or a pathological answer still
 * reacts.
 */
const MAX_SHARE = 0.2;
/** So that one hitch of the machine does not hold up what follows. */
const MAX_GAP_MS = 500;

/**
 * How much was shown: `part` is ended in the frame after it, as one show; `older` was all there was when the show
 * began, and what has come since gets a frame of its own, when one is due.
 */
export type Shown = 'all' | 'part' | 'older';

export function openFrames(
  show: () => Shown,
  { now, isHidden, requestFrame, later, isFlooded, afterFrame }: FrameDeps,
): Frames {
  let isWaiting = false;
  let isLeft = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  let cost = 0;
  let batches = 0;
  let gap = GAP_MS;
  const flush = (): void => {
    shownAt = now();
    if (!isLeft) gap = batches >= FAST_BATCHES ? FAST_GAP_MS : GAP_MS;
    batches = 0;
    const shown = show();
    isLeft = shown === 'part';
    if (shown === 'older') request();
    if (!isLeft || isWaiting) return;
    isWaiting = true;
    requestFrame(onFrame);
  };
  function onFrame(): void {
    const age = now() - shownAt;
    if (!isLeft && age < FLOOD_GAP_MS && isFlooded()) return later(() => requestFrame(onFrame), FLOOD_GAP_MS - age);
    isWaiting = false;
    const before = isLeft ? cost : 0;
    flush();
    const from = shownAt;
    afterFrame(() => (cost = before + now() - from));
  }
  const request = (): void => {
    batches += 1;
    if (isWaiting && !isHidden()) return;
    const age = now() - shownAt;
    if (isHidden() && age >= HIDDEN_MS) flush();
    if (isWaiting) return;
    isWaiting = true;
    const rest = Math.max(gap, Math.min(cost / MAX_SHARE, MAX_GAP_MS)) - age;
    if (rest <= 0) requestFrame(onFrame);
    else later(() => requestFrame(onFrame), rest);
  };
  return { request };
}
