// Reads on in slices: batches that are there at once are taken a few at a time, so that the page still reacts and
// paints.

export interface PacingDeps {
  /** A clock for durations, in milliseconds. */
  readonly now: () => number;
  /** When the newest item's first byte was there, by the same clock: waiting for it took none of the page's time. */
  readonly arrivedAt: () => number;
  /** Resolves after whatever else the page has to do. */
  readonly pause: () => Promise<void>;
}

/** With a frame's own work on top, a slice stays well under the 50 ms that are felt. */
const SLICE_MS = 10;
/** What is done once all has been read is a task of its own, unless hardly anything was done before. */
const SHORT_MS = 3;

/** The items as they come, with a pause after each slice of work and before the end. */
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
