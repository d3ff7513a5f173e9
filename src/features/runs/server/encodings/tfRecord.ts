// The frame of TensorBoard's event files: u64 length, u32 masked CRC of the length, data, u32 CRC of the data. The CRC of
// each length is checked, which finds damage and made-up lengths; that of the data is not, it would take most of the time.

/** Largest record that is read, in bytes; larger ones (images, graphs) are passed over. */
const MAX_RECORD = 16 * 1024 * 1024;
const HEADER = 12;
const FOOTER = 4;
/** How much of a chunk is joined to a record that was cut: nearly all records end in it. */
const JOINED = 65_536;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** Masked CRC-32C of a length, which is two 32-bit halves. */
function maskedCrcOf(low: number, high: number): number {
  let crc = 0xffffffff;
  for (const half of [low, high]) {
    for (let shift = 0; shift < 32; shift += 8) crc = (crc >>> 8) ^ (CRC[(crc ^ (half >>> shift)) & 255] ?? 0);
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Of the lengths that nearly all records have. */
const SHORT_CRCS = Uint32Array.from({ length: 1024 }, (_, length) => maskedCrcOf(length, 0));

/** Where a record's data are: valid during the call. */
export type OnRecord = (bytes: Uint8Array, view: DataView, start: number, end: number) => void;

/** Splits chunks of an event file into records, however the chunks are cut. */
export class RecordStream {
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes that must be there before the next record can be read. */
  #needed = HEADER;
  /** Bytes of a record that is too large, still to come. */
  #toSkip = 0;
  #position = 0;
  #damagedAt: number | null = null;

  /** Where the first damaged record begins; nothing after it is read. null: all is well. */
  get damagedAt(): number | null {
    return this.#damagedAt;
  }

  take(chunk: Uint8Array, onRecord: OnRecord): void {
    if (this.#damagedAt !== null || chunk.length === 0) return;
    this.#heldBytes += chunk.length;
    // Joined only when a record is whole, so that a large one in small pieces is not copied again and again.
    if (this.#heldBytes < this.#needed && this.#toSkip === 0) {
      // A copy: the chunk belongs to the caller.
      this.#held.push(new Uint8Array(chunk));
      return;
    }
    const before = this.#heldBytes - chunk.length;
    let bytes = chunk;
    let read = 0;
    if (before > 0) {
      // Of a long chunk, only what ends the record that was held is joined to it.
      const joined = Math.min(chunk.length, Math.max(JOINED, this.#needed - before));
      bytes = Buffer.concat([...this.#held, chunk.subarray(0, joined)]);
      read = this.#readHere(bytes, onRecord);
      if (joined < chunk.length && this.#damagedAt === null) {
        bytes = read >= before ? chunk.subarray(read - before) : Buffer.concat([...this.#held, chunk]).subarray(read);
        read = this.#readHere(bytes, onRecord);
      }
    } else read = this.#readHere(bytes, onRecord);
    const isEnd = this.#damagedAt !== null || read === bytes.length;
    this.#held = isEnd ? [] : [new Uint8Array(bytes.subarray(read))];
    this.#heldBytes = isEnd ? 0 : bytes.length - read;
  }

  #readHere(bytes: Uint8Array, onRecord: OnRecord): number {
    const read = this.#read(bytes, onRecord);
    this.#position += read;
    return read;
  }

  /** Reads whole records. Returns how many bytes are done with. */
  #read(bytes: Uint8Array, onRecord: OnRecord): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const total = bytes.length;
    let at = 0;
    for (;;) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, total - at);
        this.#toSkip -= skipped;
        at += skipped;
      }
      this.#needed = HEADER;
      if (total - at < HEADER) return at;
      const low = view.getUint32(at, true);
      const high = view.getUint32(at + 4, true);
      const crc = high === 0 && low < SHORT_CRCS.length ? SHORT_CRCS[low] : maskedCrcOf(low, high);
      if (crc !== view.getUint32(at + 8, true)) {
        this.#damagedAt = this.#position + at;
        return at;
      }
      const length = high * 2 ** 32 + low;
      if (length > MAX_RECORD) {
        this.#toSkip = HEADER + length + FOOTER;
        continue;
      }
      const end = at + HEADER + length;
      this.#needed = HEADER + length + FOOTER;
      if (end + FOOTER > total) return at;
      onRecord(bytes, view, at + HEADER, end);
      at = end + FOOTER;
    }
  }
}
