// Which blocks may hold a text: for each block a set of the three-letter pieces of its rows, as bits. A search reads only
// blocks with all pieces of what it looks for. Pure.
import { toFolded } from '#features/datasets/shared/searchQuery.ts';

/** Bits of a set: 8 KiB. English rows of a block fill about an eighth. */
const BITS = 65_536;
/** Bytes of a set. */
export const GRAM_BYTES = BITS / 8;

/** The bit of a piece, which is given by the sum of its letters: `(a * 31 + b) * 31 + c`. */
const toBit = (sum: number): number => Math.imul(sum, 0x9e3779b1) >>> 16;

/** A byte for each bit while a set is gathered: setting one takes two thirds of the time of setting a bit. */
const flags = new Uint8Array(BITS);

/** Sets the flags of the pieces of a text. */
function addText(text: string): void {
  const lower = toFolded(text);
  let b = lower.charCodeAt(1);
  let pair = Math.imul(lower.charCodeAt(0), 31) + b;
  for (let at = 2; at < lower.length; at += 1) {
    const c = lower.charCodeAt(at);
    flags[toBit(Math.imul(pair, 31) + c)] = 1;
    pair = Math.imul(b, 31) + c;
    b = c;
  }
}

/** A letter of ASCII in its small form. Computed: a table would compete with the flags for the processor's cache. */
const toLower = (byte: number): number => byte + ((byte - 65) >>> 0 < 26 ? 32 : 0);

/**
 * The same for a text of ASCII alone, in less than half of the time: this passes each letter that is stored. `before`:
 * where another text begins whose pieces have been added. What both begin with is passed over: often long instructions.
 */
function addBytes(bytes: Uint8Array, start: number, to: number, before: number | null): void {
  let same = 0;
  if (before !== null) while (start + same < to && bytes[start + same] === bytes[before + same]) same += 1;
  const from = start + Math.max(0, same - 2);
  if (to - from < 3) return;
  let b = toLower(bytes[from + 1] ?? 0);
  let pair = Math.imul(toLower(bytes[from] ?? 0), 31) + b;
  for (let at = from + 2; at < to; at += 1) {
    const c = toLower(bytes[at] ?? 0);
    flags[toBit(Math.imul(pair, 31) + c)] = 1;
    pair = Math.imul(b, 31) + c;
    b = c;
  }
}

/** Four flags of a word as four bits: each moves to its place above bit 27, and nothing else gets there. */
const toNibble = (word: number): number => Math.imul(word, 0x10204080) >>> 28;
const words = new DataView(flags.buffer);

/** The set of what was added since the last call. */
function takeSet(): Uint8Array<ArrayBuffer> {
  const grams = new Uint8Array(GRAM_BYTES);
  for (let at = 0; at < GRAM_BYTES; at += 1)
    grams[at] = toNibble(words.getInt32(at * 8, true)) | (toNibble(words.getInt32(at * 8 + 4, true)) << 4);
  flags.fill(0);
  return grams;
}

/** Gathers the set of one block. All of it must happen in one go: there is one place for flags. */
export interface Pieces {
  addText(text: string): void;
  /** Of ASCII alone. `before`: where such a text begins that was added already; null: there is none. */
  addBytes(bytes: Uint8Array, from: number, to: number, before: number | null): void;
  end(): Uint8Array<ArrayBuffer>;
}

export function openPieces(): Pieces {
  flags.fill(0);
  return { addText, addBytes, end: takeSet };
}

export function toGrams(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const pieces = openPieces();
  for (const text of texts) pieces.addText(text);
  return pieces.end();
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
