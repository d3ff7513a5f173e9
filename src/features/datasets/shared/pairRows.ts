// Which rows of two sets belong together, by keys of 64 bits: some bytes a row, whatever the rows hold. Pure.

/** Rows by their positions. */
export interface RowKeys {
  /** The first 32 bits of each row's key, and the others. */
  readonly places: Uint32Array;
  readonly rests: Uint32Array;
  /** 0: the row is not there, or has its partner. */
  readonly left: Uint8Array;
}

const NONE = -1;

/** The slots of a table, at least as many as rows: a power of two. */
const toSlots = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, rows)));

/** Takes pairs of rows with the same key out of both sets. Rows with one key are paired in their order, one by one. */
export function pairRows(before: RowKeys, after: RowKeys, onPair: (before: number, after: number) => void): void {
  const { places, rests, left } = before;
  const heads = new Int32Array(toSlots(left.length)).fill(NONE);
  const toSlot = (place: number, rest: number): number => (place ^ rest) & (heads.length - 1);
  /** The next row of the same slot. */
  const nexts = new Int32Array(left.length);
  for (let at = left.length - 1; at >= 0; at -= 1) {
    if (left[at] === 0) continue;
    const slot = toSlot(places[at] ?? 0, rests[at] ?? 0);
    nexts[at] = heads[slot] ?? NONE;
    heads[slot] = at;
  }
  for (let at = 0; at < after.left.length; at += 1) {
    if (after.left[at] === 0) continue;
    const [place = 0, rest = 0] = [after.places[at], after.rests[at]];
    const slot = toSlot(place, rest);
    let last = NONE;
    let found = heads[slot] ?? NONE;
    while (found !== NONE && (places[found] !== place || rests[found] !== rest)) {
      last = found;
      found = nexts[found] ?? NONE;
    }
    if (found === NONE) continue;
    const next = nexts[found] ?? NONE;
    if (last === NONE) heads[slot] = next;
    else nexts[last] = next;
    left[found] = 0;
    after.left[at] = 0;
    onPair(found, at);
  }
}
