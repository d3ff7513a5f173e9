// Finds texts that are nearly the same: MinHash signatures (one permutation with densification, Shrivastava 2017), and
// locality-sensitive hashing to compare only what is likely close. Work for each row is bounded.
import { mix } from '#features/datasets/shared/contentHash.ts';
import { HashTable, NumberList } from './numberLists.ts';

/** Numbers of a signature, and how they are cut into bands. Texts that share a whole band are compared. */
export const LANES = 64;
const BANDS = 8;
const BAND_LANES = LANES / BANDS;
/**
 * Texts are close from this share of common pieces on. With 8 bands of 8, of the pairs at 0.85 about 92 % share a
 * band, at 0.9 and above 98 %; at 0.5 3 % do, and are then compared.
 */
export const CLOSE = 0.85;
/** Neighbouring characters that make one piece. */
const PIECE = 6;
/** A shorter text is close to others by chance. */
const MIN_CHARACTERS = 40;
/** How many rows of a bucket are compared: the latest ones. Data from templates fills buckets with thousands. */
const MAX_COMPARED = 16;

const FACTOR = 0x01000193;
/** FACTOR to the power of PIECE. */
const FACTOR_OUT = Array.from({ length: PIECE }).reduce<number>((product) => Math.imul(product, FACTOR), 1);

const NONE = 0xffffffff;
const minima = new Uint32Array(LANES);

/** Lanes without a piece take over the number of another lane, the same one for all texts that lack the same lanes. */
function fillLanes(signature: Uint16Array): void {
  for (let lane = 0; lane < LANES; lane += 1) {
    let from = lane;
    for (let attempt = 1; minima[from] === NONE; attempt += 1) from = mix(lane * 0x10000 + attempt) & (LANES - 1);
    signature[lane] = minima[from] ?? 0;
  }
}

/**
 * Writes the signature of a text, without regard to case and white space. The share of equal lanes of two signatures
 * is about the share of their common pieces. False if the text is too short to say.
 */
export function toSignature(text: string, signature: Uint16Array): boolean {
  const folded = text.toLowerCase();
  minima.fill(NONE);
  const recent = new Uint16Array(PIECE);
  let hash = 0;
  let count = 0;
  let wasSpace = true;
  for (let at = 0; at < folded.length; at += 1) {
    let code = folded.charCodeAt(at);
    const isSpace = code <= 32 || code === 0xa0 || code === 0x3000;
    if (isSpace) {
      if (wasSpace) continue;
      code = 32;
    }
    wasSpace = isSpace;
    const place = count % PIECE;
    hash = (Math.imul(hash, FACTOR) + code - Math.imul(recent[place] ?? 0, FACTOR_OUT)) | 0;
    recent[place] = code;
    count += 1;
    if (count < PIECE) continue;
    const mixed = mix(hash);
    const lane = mixed & (LANES - 1);
    const value = mixed >>> 6;
    if (value < (minima[lane] ?? 0)) minima[lane] = value;
  }
  if (count < MIN_CHARACTERS) return false;
  fillLanes(signature);
  return true;
}

/** What a row teaches: see taughtText.ts. */
export interface Taught {
  /** 16 hex digits. Rows with different ones teach different things. */
  readonly key: string;
  /** Of a long free text, which must be close too. null: the key alone decides. */
  readonly signature: Uint16Array | null;
}

export interface NearRow {
  /** The row that was given before. */
  readonly row: number;
  /** The share of common pieces, estimated: within about 0.05. */
  readonly similarity: number;
}

/** Signatures in one array, which grows. */
class Signatures {
  private lanes = new Uint16Array(1024 * LANES);
  length = 0;

  push(signature: Uint16Array): void {
    if ((this.length + 1) * LANES > this.lanes.length) {
      const grown = new Uint16Array(this.lanes.length * 2);
      grown.set(this.lanes);
      this.lanes = grown;
    }
    this.lanes.set(signature, this.length * LANES);
    this.length += 1;
  }

  countEqual(place: number, signature: Uint16Array): number {
    const { lanes } = this;
    const from = place * LANES;
    let equal = 0;
    for (let lane = 0; lane < LANES; lane += 1) if (lanes[from + lane] === signature[lane]) equal += 1;
    return equal;
  }
}

/** Equal lanes of texts that are close. */
const CLOSE_LANES = Math.ceil(CLOSE * LANES);

/**
 * Keeps rows that are close to none before them, and finds for others the one that they are close to. About 300 bytes
 * for each row that is kept, and 130 more for a long answer.
 */
export class NearRows {
  private readonly texts = new Signatures();
  /** Of long free answers. */
  private readonly answers = new Signatures();
  /** For each kept row, its place among the long answers and 1; 0: it has none. */
  private readonly answerOf = new NumberList();
  private readonly rows = new NumberList();
  /** For each kept row and band, the kept row and 1 that was in its bucket before; 0: none. */
  private readonly before = new NumberList();
  private readonly buckets = new HashTable();
  private readonly highs = new Uint32Array(BANDS);
  private readonly lows = new Uint32Array(BANDS);

  /** Adds the row, or says which row before is close to it and teaches the same. */
  add(row: number, text: Uint16Array, taught: Taught): NearRow | null {
    this.setKeys(text, taught.key);
    let best = -1;
    let bestLanes = CLOSE_LANES - 1;
    for (let band = 0; band < BANDS; band += 1) {
      let kept = this.buckets.get(this.highs[band] ?? 0, this.lows[band] ?? 0);
      for (let count = 0; kept >= 0 && count < MAX_COMPARED; count += 1) {
        const lanes = this.texts.countEqual(kept, text);
        if (lanes > bestLanes && this.isSameAnswer(kept, taught)) [best, bestLanes] = [kept, lanes];
        kept = this.before.at(kept * BANDS + band) - 1;
      }
    }
    if (best >= 0) return { row: this.rows.at(best), similarity: bestLanes / LANES };
    this.keep(row, text, taught);
    return null;
  }

  /** What is taught is part of the keys: rows that teach different things are never compared, and fill no bucket. */
  private setKeys(text: Uint16Array, taught: string): void {
    const high = Number.parseInt(taught.slice(0, 8), 16);
    const low = Number.parseInt(taught.slice(8, 16), 16);
    for (let band = 0; band < BANDS; band += 1) {
      let key = band;
      for (let lane = band * BAND_LANES; lane < (band + 1) * BAND_LANES; lane += 1)
        key = mix(key ^ Math.imul((text[lane] ?? 0) + 1, 0x9e3779b1));
      this.highs[band] = key ^ high;
      this.lows[band] = mix(low ^ band);
    }
  }

  /** Of rows with the same key. */
  private isSameAnswer(kept: number, { signature }: Taught): boolean {
    const answer = this.answerOf.at(kept) - 1;
    if (signature === null || answer < 0) return signature === null && answer < 0;
    return this.answers.countEqual(answer, signature) >= CLOSE_LANES;
  }

  private keep(row: number, text: Uint16Array, { signature }: Taught): void {
    const place = this.rows.length;
    this.rows.push(row);
    this.texts.push(text);
    if (signature !== null) this.answers.push(signature);
    this.answerOf.push(signature === null ? 0 : this.answers.length);
    for (let band = 0; band < BANDS; band += 1) {
      const [high, low] = [this.highs[band] ?? 0, this.lows[band] ?? 0];
      this.before.push(this.buckets.get(high, low) + 1);
      this.buckets.set(high, low, place);
    }
  }
}
