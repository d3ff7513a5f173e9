// Joins separately compressed parts to one gzip file, so that only a changed part is compressed again
// (RFC 1951, 1952: deflate blocks may follow each other, and a checksum can be combined from the parts' checksums).
import { constants, crc32, deflateRaw } from 'node:zlib';

export interface GzipPart {
  /** Whole deflate blocks without references to earlier data. None of them is marked as the last one. */
  readonly blocks: Buffer;
  readonly crc: number;
  /** Uncompressed bytes. */
  readonly size: number;
}

/** Quick rather than small: people wait for it. */
const LEVEL = 3;
const MAX_STORED = 0xffff;
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty stored block that is marked as the last one. */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/** Compresses one part, off the main thread. */
export function packPart(bytes: Buffer): Promise<GzipPart> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }, (error, blocks) => {
      if (error) reject(error);
      else resolve({ blocks, crc: crc32(bytes), size: bytes.length });
    });
  });
}

/** Stores a short part without compressing it. */
export function storePart(bytes: Buffer): GzipPart {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const piece = bytes.subarray(at, at + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(piece.length, 1);
    head.writeUInt16LE(~piece.length & 0xffff, 3);
    blocks.push(head, piece);
  }
  return { blocks: Buffer.concat(blocks), crc: crc32(bytes), size: bytes.length };
}

/** The polynomial of CRC-32; bit 31 stands for x^0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** a * b modulo the polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** x^(2^n) at place n. */
const POWERS: readonly number[] = Array.from({ length: 31 }).reduce<number[]>(
  (powers) => [...powers, multiply(powers.at(-1) ?? 0, powers.at(-1) ?? 0)],
  [ONE >>> 1],
);

/** The factor of a checksum that `size` more bytes follow: x^(8 * size). */
function toShift(size: number): number {
  let shift = ONE;
  let place = 3;
  for (let remaining = size; remaining > 0; remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) shift = multiply(POWERS[place % 31] ?? 0, shift);
    place += 1;
  }
  return shift;
}

/** Joins the parts, in their order, to one gzip file. */
export function joinParts(parts: readonly GzipPart[]): Buffer {
  let crc = 0;
  let size = 0;
  const shifts = new Map<number, number>();
  for (const part of parts) {
    const shift = shifts.get(part.size) ?? toShift(part.size);
    shifts.set(part.size, shift);
    crc = (multiply(shift, crc) ^ part.crc) >>> 0;
    size += part.size;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([HEADER, ...parts.map((part) => part.blocks), LAST_BLOCK, trailer]);
}
