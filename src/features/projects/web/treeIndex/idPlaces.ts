// The index of each id in a tree, in two typed arrays: building a Map of 100,000 ids takes five times as long and
// delays the first view of a tree.

/** A look-up by id, like a Map's. */
export interface IdPlaces {
  get(id: string): number | undefined;
  has(id: string): boolean;
}

/** After more steps to a free slot the ids collide on purpose: they belong in a Map. */
const MAX_STEPS = 64;

function toHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  // The low bits select the slot; the multiplication only mixes upwards.
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13);
}

/** Places of up to `count` ids, added in ascending order from 0. */
export class IdTable implements IdPlaces {
  private readonly ids: string[] = [];
  private readonly mask: number;
  /** Per slot a hash, and the place with that hash plus 1; 0: free. */
  private readonly hashes: Int32Array;
  private readonly slots: Int32Array;

  constructor(count: number) {
    const length = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.mask = length - 1;
    this.hashes = new Int32Array(length);
    this.slots = new Int32Array(length);
  }

  /** Gives the id the next place. False: the id is already there, or too many collide; then the table is unusable. */
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
