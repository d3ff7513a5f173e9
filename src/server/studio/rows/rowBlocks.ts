// Rows as they are stored: blocks of some hundred rows, compressed. A block's text has a line for each row (its hash, its
// bucket, the row), and a line after it for the original line of the file where that differs. JSON text has no line breaks.
import { brotliCompressSync, brotliDecompressSync, constants, inflateRawSync } from 'node:zlib';
import type { RowBucket } from '#shared/contract/rowsFile.ts';
import { SIDE_CODES, type SplitHashes } from '#shared/data/split.ts';
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

/** Where a block's text is written before it is packed. Much larger memory than usual is not kept. */
let written = Buffer.alloc(1024 * 1024);
const MAX_KEPT = 4 * 1024 * 1024;

function toRoom(bytes: number): Buffer {
  if (bytes > MAX_KEPT) return Buffer.allocUnsafe(bytes);
  if (bytes > written.length) written = Buffer.alloc(bytes);
  return written;
}

/** Its bytes have memory of their own, which can move to another thread. */
export function toBlock(rows: readonly StoredRow[]): RowBlock {
  const length = rows.reduce((sum, { text, original }) => sum + text.length + (original?.length ?? 0) + HASH + 4, 0);
  const room = toRoom(length * 3);
  const pieces = openPieces();
  let at = 0;
  // Written piece by piece: joined to one text first, each letter would be copied once more.
  for (const { text, original, hash, bucket } of rows) {
    if (at > 0) room[at++] = LINE_FEED;
    at += room.write(hash, at, 'latin1');
    room[at++] = bucket === null ? NO_BUCKET : BUCKETS[bucket].charCodeAt(0);
    const from = at;
    at += room.write(text, at);
    if (at - from === text.length) pieces.addBytes(room, from, at);
    else pieces.addText(text);
    if (original !== null) at += room.write(`\n${ORIGINAL}${original}`, at);
  }
  const packed = toPacked(room.subarray(0, at));
  const body = new Uint8Array(packed.length + 1);
  body[0] = BROTLI;
  body.set(packed, 1);
  return { row_count: rows.length, body, grams: pieces.end() };
}

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
  /** The rows that are left; null: none. */
  end(): RowBlock | null;
}

/** Gathers rows in blocks. */
export function openBlockBuilder(): BlockBuilder {
  let rows: StoredRow[] = [];
  let length = 0;
  const take = (): RowBlock | null => {
    if (rows.length === 0) return null;
    const block = toBlock(rows);
    rows = [];
    length = 0;
    return block;
  };
  return {
    add(row) {
      rows.push(row);
      length += row.text.length + (row.original?.length ?? 0);
      return rows.length >= BLOCK_ROWS || length >= BLOCK_TEXT ? take() : null;
    },
    end: take,
  };
}

export function toBlocks(rows: Iterable<StoredRow>): RowBlock[] {
  const builder = openBlockBuilder();
  const blocks: (RowBlock | null)[] = [];
  for (const row of rows) blocks.push(builder.add(row));
  return [...blocks, builder.end()].filter((block) => block !== null);
}
