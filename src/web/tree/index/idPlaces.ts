// The place of each id in a tree, in two typed arrays: a Map of 100,000 ids takes five times as long to make, and that
// is time until a tree is on show.

/** A look-up by id, as of a Map. */
export interface IdPlaces {
  get(id: string): number | undefined;
  has(id: string): boolean;
}

/** Longer ways to a free slot are no accident: such ids belong in a Map. */
const MAX_STEPS = 64;

function toHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  // The low bits decide on the slot; the multiplication mixes upwards only.
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13);
}

/** Places of up to `count` ids, to be added in ascending order from 0. */
export class IdTable implements IdPlaces {
  private readonly ids: string[] = [];
  private readonly mask: number;
  /** Per slot a hash, and the place with that hash and 1 more; 0: free. */
  private readonly hashes: Int32Array;
  private readonly slots: Int32Array;

  constructor(count: number) {
    const length = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.mask = length - 1;
    this.hashes = new Int32Array(length);
    this.slots = new Int32Array(length);
  }

  /**
   * Gives the id the next place. False: it has one already, or there are too many like it; then the table is of no use.
   */
  add(id: string): boolean {
    const hash = toHash(id);
    let slot = hash & this.mask;
    for (let step = 0; this.slots[slot] !== 0; step += 1) {
      if (step === MAX_STEPS || (this.hashes[slot] === hash && this.ids[(this.slots[slot] ?? 0) - 1] === id))
        return false;
      slot = (slot + 1) & this.mask;
    }
    this.ids.push(id);
    this.hashes[slot] = hash;
    this.slots[slot] = this.ids.length;
    return true;
  }

  get(id: string): number | undefined {
    const hash = toHash(id);
    for (let slot = hash & this.mask; ; slot = (slot + 1) & this.mask) {
      const place = (this.slots[slot] ?? 0) - 1;
      if (place < 0) return undefined;
      if (this.hashes[slot] === hash && this.ids[place] === id) return place;
    }
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }
}
