// Rows as they are stored: blocks of some hundred rows, compressed. A block's text has a line for each row (its hash, its
// bucket, the row), and a line after it for the original line of the file where that differs. JSON text has no line breaks.
import { brotliCompressSync, brotliDecompressSync, constants, inflateRawSync } from 'node:zlib';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { hashBytes, type HashWords } from '#features/datasets/shared/contentHash.ts';
import { SIDE_CODES, type SplitHashes } from '#features/datasets/shared/split.ts';
import { openPieces } from './grams.ts';

export interface StoredRow {
  /** The chat row as JSON. */
  readonly text: string;
  /** The line of the file, where it differs from `text`. */
  readonly original: string | null;
  /** 16 hexadecimal digits: `toContentHash` of the row's normal form. */
  readonly hash: string;
  /** The side that the row was given; null: the hash decides. */
  readonly bucket: RowBucket | null;
}

export interface PlacedRow extends StoredRow {
  readonly position: number;
}

export interface RowBlock {
  readonly row_count: number;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly grams: Uint8Array<ArrayBuffer>;
}

/** Rows of a block at most; fewer where they are long. Readers rely on it to find the block of a position. */
export const BLOCK_ROWS = 256;
/** A block ends when its text is longer than this, in UTF-16 units. */
const BLOCK_TEXT = 1024 * 1024;
/**
 * Brotli at this level takes half of the time of deflate at its quickest, for less bytes. Most blocks are shorter than the
 * window of 256 KiB; the usual one of 4 MiB takes a third more time, for memory that is made and dropped.
 */
const toPacked = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: 18,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
    chunkSize: 128 * 1024,
  });
/** The first byte of a block. No deflated data begins so, and that is what older blocks are. */
const BROTLI = 6;

const HASH = 16;
const BUCKETS = { training: 't', validation: 'v' } as const;
const NO_BUCKET = '-'.charCodeAt(0);
const LINE_FEED = 10;
const ORIGINAL = '=';

function toBucket(letter: string): RowBucket | null {
  if (letter === BUCKETS.training) return 'training';
  return letter === BUCKETS.validation ? 'validation' : null;
}

/** The text of a block. Throws for bytes that are no block. */
export const inflateBlock = (body: Uint8Array): string =>
  (body[0] === BROTLI ? brotliDecompressSync(body.subarray(1)) : inflateRawSync(body)).toString('utf8');

/** The rows of a block's text, in order, whose first one is at `first`. */
export function readBlockText(text: string, first: number): PlacedRow[] {
  const rows: PlacedRow[] = [];
  for (const line of text.split('\n')) {
    const last = rows.at(-1);
    if (line.startsWith(ORIGINAL) && last) rows[rows.length - 1] = { ...last, original: line.slice(1) };
    else
      rows.push({
        position: first + rows.length,
        hash: line.slice(0, HASH),
        bucket: toBucket(line.charAt(HASH)),
        text: line.slice(HASH + 1),
        original: null,
      });
  }
  return rows;
}

/** Writes the hashes of a block's text, and the sides that its rows were given, to their positions. Returns the next one. */
export function readBlockHashes(text: string, first: number, { places, rests, chosen }: SplitHashes): number {
  let position = first;
  for (let at = 0; at >= 0 && at < text.length;) {
    if (text.charAt(at) !== ORIGINAL) {
      places[position] = Number.parseInt(text.slice(at, at + HASH / 2), 16);
      rests[position] = Number.parseInt(text.slice(at + HASH / 2, at + HASH), 16);
      chosen[position] = SIDE_CODES[toBucket(text.charAt(at + HASH)) ?? 'none'];
      position += 1;
    }
    const end = text.indexOf('\n', at);
    at = end < 0 ? end : end + 1;
  }
  return position;
}

export const readBlock = (body: Uint8Array, first: number): PlacedRow[] => readBlockText(inflateBlock(body), first);

export interface BlockBuilder {
  /** A block that is full now; null: there is none yet. */
  add(row: StoredRow): RowBlock | null;
  /** Adds the row whose JSON, in the normal form, are the bytes of ASCII from `from` to `to`. */
  addPlain(bytes: Uint8Array, from: number, to: number): RowBlock | null;
  /** The rows that are left; null: none. */
  end(): RowBlock | null;
}

const words: HashWords = new Int32Array(2);
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** Writes a hash as its 16 digits, without making a text of them. */
function writeHash(bytes: Uint8Array, from: number, hash: HashWords): void {
  for (let digit = 0; digit < HASH; digit += 1) {
    const word = hash[digit >>> 3] ?? 0;
    bytes[from + digit] = HEX_DIGITS[(word >>> (28 - 4 * (digit & 7))) & 15] ?? 0;
  }
}

/** Where a block's text is written before it is packed. Much more memory than usual is not kept. */
const ROOM = 256 * 1024;
const MAX_KEPT = 4 * 1024 * 1024;

/** Gathers rows in blocks. Their memory is their own, which can move to another thread. `bucket`: of plain rows. */
export const openBlockBuilder = (bucket: RowBucket | null = null): BlockBuilder =>
  openBuilder((rows, length) => rows >= BLOCK_ROWS || length >= BLOCK_TEXT, bucket);

function openBuilder(isFull: (rows: number, length: number) => boolean, plain: RowBucket | null = null): BlockBuilder {
  const toCode = (bucket: RowBucket | null): number => (bucket === null ? NO_BUCKET : BUCKETS[bucket].charCodeAt(0));
  const plainCode = toCode(plain);
  let room = Buffer.allocUnsafeSlow(ROOM);
  let view = new DataView(room.buffer);
  let at = 0;
  let rows = 0;
  /** Of the rows, in UTF-16 units. */
  let length = 0;
  /** Where rows of ASCII begin and end, and the texts of the others: what a search looks for. */
  let places: number[] = [];
  let texts: string[] = [];

  function makeRoom(bytes: number): void {
    if (at + bytes <= room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(room.length * 2, at + bytes));
    room.copy(larger, 0, 0, at);
    room = larger;
    view = new DataView(room.buffer);
  }

  function take(): RowBlock | null {
    if (rows === 0) return null;
    const pieces = openPieces();
    let before: number | null = null;
    for (let index = 0; index < places.length; index += 2) {
      const from = places[index] ?? 0;
      pieces.addBytes(room, from, places[index + 1] ?? 0, before);
      before = from;
    }
    for (const text of texts) pieces.addText(text);
    const packed = toPacked(room.subarray(0, at));
    const body = new Uint8Array(packed.length + 1);
    body[0] = BROTLI;
    body.set(packed, 1);
    const block = { row_count: rows, body, grams: pieces.end() };
    if (room.length > MAX_KEPT) {
      room = Buffer.allocUnsafeSlow(ROOM);
      view = new DataView(room.buffer);
    }
    at = rows = length = 0;
    places = [];
    texts = [];
    return block;
  }

  function closeRow(units: number): RowBlock | null {
    rows += 1;
    length += units;
    return isFull(rows, length) ? take() : null;
  }

  return {
    // Written piece by piece: joined to one text first, each letter would be copied once more.
    add({ text, original, hash, bucket }) {
      const units = text.length + (original?.length ?? 0);
      makeRoom(units * 3 + HASH + 4);
      if (rows > 0) room[at++] = LINE_FEED;
      at += room.write(hash, at, 'latin1');
      room[at++] = toCode(bucket);
      const from = at;
      at += room.write(text, at);
      if (at - from === text.length) places.push(from, at);
      else texts.push(text);
      if (original !== null) at += room.write(`\n${ORIGINAL}${original}`, at);
      return closeRow(units);
    },
    addPlain(bytes, first, end) {
      makeRoom(end - first + HASH + 2);
      if (rows > 0) room[at++] = LINE_FEED;
      const from = at + HASH + 1;
      const to = from + end - first;
      room.set(bytes.subarray(first, end), from);
      hashBytes(view, from, to, words);
      writeHash(room, at, words);
      room[from - 1] = plainCode;
      places.push(from, to);
      at = to;
      return closeRow(end - first);
    },
    end: take,
  };
}

/** One block of all rows. Throws if there are none. */
export function toBlock(rows: readonly StoredRow[]): RowBlock {
  const builder = openBuilder(() => false);
  for (const row of rows) builder.add(row);
  const block = builder.end();
  if (!block) throw new Error('A block needs a row.');
  return block;
}

export function toBlocks(rows: Iterable<StoredRow>): RowBlock[] {
  const builder = openBlockBuilder();
  const blocks: (RowBlock | null)[] = [];
  for (const row of rows) blocks.push(builder.add(row));
  return [...blocks, builder.end()].filter((block) => block !== null);
}
