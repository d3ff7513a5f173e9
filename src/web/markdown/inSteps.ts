// Work that is too much for one task: step by step, with room for all else in between.

/**
 * Runs `step` until it gives false, `most` times at most, then `onDone` with the next frame; gives a function that
 * calls it off.
 */
export function inSteps(step: () => boolean, most: number, onDone: () => void): () => void {
  let frame = 0;
  let left = most;
  let timer: ReturnType<typeof setTimeout>;
  const run = (): void => {
    left -= 1;
    if (step() && left > 0) timer = setTimeout(run, 0);
    else frame = requestAnimationFrame(onDone);
  };
  timer = setTimeout(run, 0);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}
