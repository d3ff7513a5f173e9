// Which rows a step trains on: each epoch has all rows in a new order, packed so that little room is left.
import { openRandom, toShuffled } from '#trainer/model/random.ts';

/** A batch of size n has room for n sequences of so many tokens. Rows are never cut to it: they share the room. */
export const SEQUENCE_TOKENS = 128;
/** Rows among which the best fit is looked for. */
const POOL = 64;

/**
 * Batches of one epoch, as indices of rows. Each row is in one batch. A batch begins with the row that waits longest, and takes
 * then the longest one that still fits. `lengths`: tokens of each row.
 */
export function planEpoch(
  lengths: readonly number[],
  room: number,
  seed: number,
  epoch: number,
): readonly (readonly number[])[] {
  const order = toShuffled(lengths.length, openRandom(Math.imul(seed + 1, 0x9e3779b1) + epoch));
  const batches: number[][] = [];
  const pool: number[] = [];
  let next = 0;
  const fill = (): void => {
    while (pool.length < POOL && next < order.length) {
      pool.push(order[next] ?? 0);
      next += 1;
    }
  };
  for (fill(); pool.length > 0; fill()) {
    const [first = 0] = pool.splice(0, 1);
    const batch = [first];
    let left = room - (lengths[first] ?? 0);
    for (;;) {
      fill();
      let best = -1;
      let bestLength = 0;
      for (const [index, row] of pool.entries()) {
        const length = lengths[row] ?? 0;
        if (length <= left && length > bestLength) {
          best = index;
          bestLength = length;
        }
      }
      if (best < 0) break;
      batch.push(...pool.splice(best, 1));
      left -= bestLength;
    }
    batches.push(batch);
  }
  return batches;
}

/** Cuts a batch into passes that fit into the model's memory: runs of rows of at most `most` tokens. */
export function toPasses(
  batch: readonly number[],
  lengths: readonly number[],
  most: number,
): readonly (readonly number[])[] {
  const passes: number[][] = [];
  let left = 0;
  for (const row of batch) {
    const length = lengths[row] ?? 0;
    const last = passes.at(-1);
    if (last === undefined || length > left) {
      passes.push([row]);
      left = most - length;
    } else {
      last.push(row);
      left -= length;
    }
  }
  return passes;
}

/**
 * Shares a batch out to threads, so that the most tokens of one are few: the longest row goes first, each to whoever has least.
 * No share is empty; each has its rows in the batch's order.
 */
export function toShares(
  batch: readonly number[],
  lengths: readonly number[],
  threads: number,
): readonly (readonly number[])[] {
  const shares = Array.from({ length: Math.min(threads, batch.length) }, () => ({ tokens: 0, places: [] as number[] }));
  const lengthAt = (place: number): number => lengths[batch[place] ?? 0] ?? 0;
  for (const place of [...batch.keys()].toSorted((a, b) => lengthAt(b) - lengthAt(a))) {
    const least = shares.reduce((best, share) => (share.tokens < best.tokens ? share : best));
    least.tokens += lengthAt(place);
    least.places.push(place);
  }
  return shares.map(({ places }) => places.toSorted((a, b) => a - b).map((place) => batch[place] ?? 0));
}

/** Items in order, `size` at a time. */
export const toRounds = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, round) => items.slice(round * size, (round + 1) * size));
