// Which blocks may hold a text: for each block a set of the three-letter pieces of its rows, as bits. A search reads only
// blocks with all pieces of what it looks for. Pure.
import { toFolded } from '#shared/data/searchQuery.ts';

/** Bits of a set: 8 KiB. English rows of a block fill about an eighth. */
const BITS = 65_536;
/** Bytes of a set. */
export const GRAM_BYTES = BITS / 8;

const toBit = (a: number, b: number, c: number): number =>
  Math.imul(Math.imul(Math.imul(a, 31) + b, 31) + c, 0x9e3779b1) >>> 16;

function addBits(text: string, add: (bit: number) => void): void {
  const lower = toFolded(text);
  if (lower.length < 3) return;
  let a = lower.charCodeAt(0);
  let b = lower.charCodeAt(1);
  for (let at = 2; at < lower.length; at += 1) {
    const c = lower.charCodeAt(at);
    add(toBit(a, b, c));
    a = b;
    b = c;
  }
}

export function toGrams(texts: readonly string[]): Uint8Array {
  const grams = new Uint8Array(GRAM_BYTES);
  const add = (bit: number): void => {
    grams[bit >>> 3] = (grams[bit >>> 3] ?? 0) | (1 << (bit & 7));
  };
  for (const text of texts) addBits(text, add);
  return grams;
}

/** A text as it stands inside JSON. */
export const toJsonPiece = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The bits of a text that is looked for; empty for one of less than three letters, which any block may hold. */
export function toWantedBits(search: string): readonly number[] {
  const bits = new Set<number>();
  addBits(toJsonPiece(search), (bit) => void bits.add(bit));
  return [...bits];
}

/** False: the block holds the text nowhere. `at`: where its set begins in `grams`. */
export function mayHold(grams: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((bit) => ((grams[at + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0);
}
