// Frames of LZ4 (lz4_Frame_format.md 1.6.4), as Arrow compresses buffers. Blocks may copy from those before them, which
// no library that is here reads.

const FRAME = 0x184d2204;
/** Bits of the flags. */
const HAS_BLOCK_CHECKSUM = 0x10;
const HAS_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
const STORED = 0x8000_0000;
const SHORTEST_COPY = 4;

const fail = (): never => {
  throw new Error('a damaged frame of LZ4');
};

/** Writes the sequences of a block to `output` from `to` on. Returns where they end. */
function decompressBlock(input: Uint8Array, output: Uint8Array, to: number): number {
  let at = 0;
  const readLength = (short: number): number => {
    let length = short;
    let more = short === 15 ? 255 : 0;
    while (more === 255) {
      more = input[at] ?? fail();
      at += 1;
      length += more;
    }
    return length;
  };
  while (at < input.length) {
    const token = input[at] ?? 0;
    at += 1;
    const literals = readLength(token >> 4);
    if (at + literals > input.length || to + literals > output.length) fail();
    output.set(input.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    // The last sequence has no copy.
    if (at === input.length) break;
    const distance = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8);
    at += 2;
    const length = readLength(token & 15) + SHORTEST_COPY;
    if (distance === 0 || distance > to || to + length > output.length) fail();
    // A copy may reach into what it writes.
    if (distance >= length) output.copyWithin(to, to - distance, to - distance + length);
    else for (let step = 0; step < length; step += 1) output[to + step] = output[to + step - distance] ?? 0;
    to += length;
  }
  return to;
}

/** `length`: of the bytes that were compressed. Throws if the frame holds others. */
export function decompressLz4Frame(input: Uint8Array, length: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const flags = view.getUint8(4);
  if (view.getUint32(0, true) !== FRAME || flags >> 6 !== 1 || flags & HAS_DICTIONARY) fail();
  const output = new Uint8Array(length);
  let at = 7 + (flags & HAS_SIZE ? 8 : 0);
  let to = 0;
  for (;;) {
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) break;
    const size = word % STORED;
    const block = input.subarray(at, at + size);
    if (word >= STORED) {
      output.set(block, to);
      to += block.length;
    } else to = decompressBlock(block, output, to);
    at += size + (flags & HAS_BLOCK_CHECKSUM ? 4 : 0);
  }
  return to === length ? output : fail();
}
