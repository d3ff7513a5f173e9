// Schedules when text that was read is shown: in a frame, at most 30 times a second, less often when text arrives fast
// or rendering is slow. Reading never waits for it.

export interface FrameDeps {
  readonly now: () => number;
  readonly isHidden: () => boolean;
  readonly requestFrame: (callback: () => void) => void;
  readonly later: (callback: () => void, ms: number) => void;
  /** More text has arrived than a view holds, so it would scroll out of sight at once. */
  readonly isFlooded: () => boolean;
  /** Calls back after the changes of `show` are rendered, laid out and painted. */
  readonly afterFrame: (callback: () => void) => void;
}

export interface Frames {
  /** New text has arrived: `show` runs in the next due frame. */
  readonly request: () => void;
}

/** A hidden page has no frames; the stored answer is still updated this often. */
const HIDDEN_MS = 1000;
/** Every second frame: text does not look smoother at 60 a second, and showing it is most of what streaming costs. */
const GAP_MS = 30;
/** A stream with this many batches between two shows is faster than anyone reads. */
const FAST_BATCHES = 20;
const FAST_GAP_MS = 50;
/** The interval of shows during a flood. Its end is shown at once. */
const FLOOD_GAP_MS = 150;
/** Showing may take this share of the time at most, so that the page still reacts while a very fast answer streams. */
const MAX_SHARE = 0.2;
/** Bounds the gap, so that one slow frame doesn't delay the following ones for long. */
const MAX_GAP_MS = 500;

/**
 * How much was shown. `part`: the next frame shows the rest, and both count as one show. `older`: everything that had
 * arrived when the show began; newer text waits for the next due frame.
 */
export type Shown = 'all' | 'part' | 'older';

export function openFrames(
  show: () => Shown,
  { now, isHidden, requestFrame, later, isFlooded, afterFrame }: FrameDeps,
): Frames {
  let isWaiting = false;
  let hasRest = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  let cost = 0;
  let batches = 0;
  let gap = GAP_MS;
  const flush = (): void => {
    shownAt = now();
    if (!hasRest) gap = batches >= FAST_BATCHES ? FAST_GAP_MS : GAP_MS;
    batches = 0;
    const shown = show();
    hasRest = shown === 'part';
    if (shown === 'older') request();
    if (!hasRest || isWaiting) return;
    isWaiting = true;
    requestFrame(onFrame);
  };
  function onFrame(): void {
    const age = now() - shownAt;
    if (!hasRest && age < FLOOD_GAP_MS && isFlooded()) return later(() => requestFrame(onFrame), FLOOD_GAP_MS - age);
    isWaiting = false;
    const before = hasRest ? cost : 0;
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
