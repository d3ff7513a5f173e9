// Reads a stream in slices: batches that arrive together are taken a few at a time, so that the page can react and
// paint.

export interface PacingDeps {
  /** A clock for durations, in milliseconds. */
  readonly now: () => number;
  /** When the first byte of the newest item arrived, by the same clock. Time before it doesn't count as work. */
  readonly arrivedAt: () => number;
  /** Resolves after the page's other pending tasks. */
  readonly pause: () => Promise<void>;
}

/** A slice plus the work of a frame stays well under the 50 ms that a person notices. */
const SLICE_MS = 10;
/** After more work than this, the work at the end of the stream gets a task of its own. */
const SHORT_MS = 3;

/** Yields the items as they arrive, with a pause after each slice of work and before the end. */
export async function* paced<Item>(
  items: AsyncIterable<Item>,
  { now, arrivedAt, pause }: PacingDeps,
): AsyncGenerator<Item, void, undefined> {
  let worked = 0;
  let since = now();
  for await (const item of items) {
    yield item;
    const at = now();
    worked += at - Math.max(since, arrivedAt());
    since = at;
    if (worked < SLICE_MS) continue;
    await pause();
    worked = 0;
    since = now();
  }
  if (worked >= SHORT_MS) await pause();
}
