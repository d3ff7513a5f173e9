// Finds texts that are nearly the same: MinHash signatures (one permutation with densification, Shrivastava 2017), and
// locality-sensitive hashing to compare only what is likely close. Work for each row is bounded.
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

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

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

export interface NearRow {
  /** The row that was given before. */
  readonly row: number;
  /** The share of common pieces, estimated: within about 0.05. */
  readonly similarity: number;
}

/**
 * Keeps rows that are close to none before them, and finds for others the one that they are close to. About 300 bytes
 * for each row that is kept.
 */
export class NearRows {
  private signatures = new Uint16Array(1024 * LANES);
  private readonly rows = new NumberList();
  /** For each kept row and band, the kept row and 1 that was in its bucket before; 0: none. */
  private readonly before = new NumberList();
  private readonly buckets = new HashTable();
  private readonly keys = new Uint32Array(BANDS);

  /** Adds the row, or says which row before is close to it. */
  add(row: number, signature: Uint16Array): NearRow | null {
    let best = -1;
    let bestLanes = Math.ceil(CLOSE * LANES) - 1;
    for (let band = 0; band < BANDS; band += 1) {
      const key = this.toKey(signature, band);
      this.keys[band] = key;
      let kept = this.buckets.get(key, band);
      for (let count = 0; kept >= 0 && count < MAX_COMPARED; count += 1) {
        const lanes = this.countEqual(kept, signature);
        if (lanes > bestLanes) [best, bestLanes] = [kept, lanes];
        kept = this.before.at(kept * BANDS + band) - 1;
      }
    }
    if (best >= 0) return { row: this.rows.at(best), similarity: bestLanes / LANES };
    this.keep(row, signature);
    return null;
  }

  private toKey(signature: Uint16Array, band: number): number {
    let key = band;
    for (let lane = band * BAND_LANES; lane < (band + 1) * BAND_LANES; lane += 1)
      key = mix(key ^ Math.imul((signature[lane] ?? 0) + 1, 0x9e3779b1));
    return key;
  }

  private countEqual(kept: number, signature: Uint16Array): number {
    const { signatures } = this;
    const from = kept * LANES;
    let equal = 0;
    for (let lane = 0; lane < LANES; lane += 1) if (signatures[from + lane] === signature[lane]) equal += 1;
    return equal;
  }

  private keep(row: number, signature: Uint16Array): void {
    const place = this.rows.length;
    this.rows.push(row);
    if ((place + 1) * LANES > this.signatures.length) {
      const grown = new Uint16Array(this.signatures.length * 2);
      grown.set(this.signatures);
      this.signatures = grown;
    }
    this.signatures.set(signature, place * LANES);
    for (let band = 0; band < BANDS; band += 1) {
      const key = this.keys[band] ?? 0;
      this.before.push(this.buckets.get(key, band) + 1);
      this.buckets.set(key, band, place);
    }
  }
}
