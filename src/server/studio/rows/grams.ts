// Which blocks may hold a text: for each block a set of the three-letter pieces of its rows, as bits. A search reads only
// blocks with all pieces of what it looks for. Pure.
import { toFolded } from '#shared/data/searchQuery.ts';

/** Bits of a set: 8 KiB. English rows of a block fill about an eighth. */
const BITS = 65_536;
/** Bytes of a set. */
export const GRAM_BYTES = BITS / 8;

/** Sets the bit of a piece, which is given by the sum of its letters: `(a * 31 + b) * 31 + c`. */
function setBit(grams: Uint8Array, sum: number): void {
  const bit = Math.imul(sum, 0x9e3779b1) >>> 16;
  grams[bit >>> 3] = (grams[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

/** Sets the bits of the pieces of a text. */
export function addGrams(text: string, grams: Uint8Array): void {
  const lower = toFolded(text);
  let b = lower.charCodeAt(1);
  let pair = Math.imul(lower.charCodeAt(0), 31) + b;
  for (let at = 2; at < lower.length; at += 1) {
    const c = lower.charCodeAt(at);
    setBit(grams, Math.imul(pair, 31) + c);
    pair = Math.imul(b, 31) + c;
    b = c;
  }
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;
const LOWER = Uint8Array.from({ length: 256 }, (_, code) => (isCapital(code) ? code + 32 : code));

/** The same for a text of ASCII alone, in less than half of the time: this passes each letter that is stored. */
export function addByteGrams(bytes: Uint8Array, from: number, to: number, grams: Uint8Array): void {
  if (to - from < 3) return;
  let b = LOWER[bytes[from + 1] ?? 0] ?? 0;
  let pair = Math.imul(LOWER[bytes[from] ?? 0] ?? 0, 31) + b;
  for (let at = from + 2; at < to; at += 1) {
    const c = LOWER[bytes[at] ?? 0] ?? 0;
    setBit(grams, Math.imul(pair, 31) + c);
    pair = Math.imul(b, 31) + c;
    b = c;
  }
}

export function toGrams(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const grams = new Uint8Array(GRAM_BYTES);
  for (const text of texts) addGrams(text, grams);
  return grams;
}

/** A text as it stands inside JSON. */
export const toJsonPiece = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The bits of a text that is looked for; empty for one of less than three letters, which any block may hold. */
export function toWantedBits(search: string): readonly number[] {
  const grams = toGrams([toJsonPiece(search)]);
  const bits: number[] = [];
  for (let bit = 0; bit < BITS; bit += 1) if (((grams[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0) bits.push(bit);
  return bits;
}

/** False: the block holds the text nowhere. `at`: where its set begins in `grams`. */
export function mayHold(grams: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((bit) => ((grams[at + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) !== 0);
}
