// Which rows of a snapshot are for training and which for validation. Pure.

export type Side = 'training' | 'validation';

/** Places are multiples of 2^-32 of the whole. */
const PLACES = 2 ** 32;

/**
 * The side of a row by the first 32 bits of its content hash; `percent` (0 to 100): the share of training rows. Nothing
 * else decides it. So equal rows are on one side, rows that are added later move no other row, and with a larger share
 * all training rows stay training rows.
 */
const toSide = (place: number, percent: number): Side => (place * 100 < percent * PLACES ? 'training' : 'validation');

/** Rows by their positions, as numbers. */
export interface SplitHashes {
  /** The first 32 bits of each row's content hash, and the others. */
  readonly places: Uint32Array;
  readonly rests: Uint32Array;
  /** What a person chose for each row: one of SIDE_CODES, or LEFT_OUT. */
  readonly chosen: Uint8Array;
}

/** `none`: the hash decides; of rows that were split: they are in no snapshot. */
export const SIDE_CODES = { none: 0, training: 1, validation: 2 } as const;
export const LEFT_OUT = 3;

export interface SplitRows {
  /** One of SIDE_CODES for each row. */
  readonly sides: Uint8Array;
  readonly training: number;
  readonly validation: number;
  readonly leftOut: number;
  /** Rows whose side a person chose. They count in `training` and `validation` too. */
  readonly chosen: number;
  /** Validation rows that are among the training rows too, because a person chose the side of one of them. */
  readonly leaks: number;
}

/** Rows of a slice. */
const SLICE = 65_536;

/** A number for a hash: 52 of its bits. */
const toHashKey = (place: number, rest: number): number => place * 2 ** 20 + (rest >>> 12);

/** What a snapshot of these rows holds. Yields after each slice of rows, so that the caller can do other things. */
export function* splitRows({ places, rests, chosen }: SplitHashes, percent: number): Generator<void, SplitRows> {
  const sides = new Uint8Array(places.length);
  const counts = [0, 0, 0];
  /** Without a chosen side no row can leak: equal rows have equal hashes. */
  const keys = new Set<number>();
  let chosenCount = 0;
  const toKey = (at: number): number => toHashKey(places[at] ?? 0, rests[at] ?? 0);
  for (let at = 0; at < places.length; at += 1) {
    const choice = chosen[at];
    let side: number = choice === LEFT_OUT ? SIDE_CODES.none : (choice ?? 0);
    if (choice === SIDE_CODES.none) side = SIDE_CODES[toSide(places[at] ?? 0, percent)];
    else if (choice !== LEFT_OUT) {
      chosenCount += 1;
      keys.add(toKey(at));
    }
    sides[at] = side;
    counts[side] = (counts[side] ?? 0) + 1;
    if (at % SLICE === SLICE - 1) yield;
  }
  let leaks = 0;
  if (keys.size > 0) {
    const trained = new Set<number>();
    for (let at = 0; at < places.length; at += 1) {
      if (sides[at] === SIDE_CODES.training && keys.has(toKey(at))) trained.add(toKey(at));
      if (at % SLICE === SLICE - 1) yield;
    }
    for (let at = 0; at < places.length; at += 1) {
      if (sides[at] === SIDE_CODES.validation && trained.has(toKey(at))) leaks += 1;
      if (at % SLICE === SLICE - 1) yield;
    }
  }
  const [leftOut = 0, training = 0, validation = 0] = counts;
  return { sides, training, validation, leftOut, chosen: chosenCount, leaks };
}
