// Long work in slices that leave the page responsive.

interface SliceRule {
  readonly now: () => number;
  /** Calls back in the next frame; returns the way to call it off. */
  readonly later: (callback: () => void) => () => void;
  /** Milliseconds after which the rest waits for the next frame. */
  readonly budget: number;
}

/** Takes steps until the work is done, at most `budget` ms at once, then calls `onDone`. Returns the way to stop. */
export function runInSlices(
  work: Iterator<unknown>,
  onDone: () => void,
  { now, later, budget }: SliceRule,
): () => void {
  let cancel = (): void => undefined;
  const slice = (): void => {
    const end = now() + budget;
    do {
      if (work.next().done === true) {
        onDone();
        return;
      }
    } while (now() < end);
    cancel = later(slice);
  };
  slice();
  return () => cancel();
}

const inFrame = (callback: () => void): (() => void) => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

/** Slices of a browser's frames. */
export const FRAME_SLICES: SliceRule = { now: () => performance.now(), later: inFrame, budget: 8 };
