// The blocks of a `.wandb` file, which is a log of LevelDB after a header of its own: bytes become records, also when
// the file is cut at any byte and grows later. Source: core/pkg/leveldb/record.go of wandb 0.28.
import { crc32 } from 'node:zlib';
import { Unreadable } from '#features/runs/server/reader.ts';

const BLOCK = 32_768;
const WANDB = { tool: 'W&B', header: [0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0x00] };
/** SwanLab writes the same blocks (0.10). */
export const SWANLAB = { tool: 'SwanLab', header: [0x3a, 0x53, 0x57, 0x4c, 0xd6, 0xe1, 0x02] };
const CHUNK_HEADER = 7;
/** Larger records are passed over. */
const MAX_RECORD = 16 * 1024 * 1024;
const FULL = 1;
const FIRST = 2;
const LAST = 4;

export class WandbLog {
  readonly #tool: string;
  readonly #header: readonly number[];
  /** Bytes that were not used yet, the first of which is at `#at` in the file. */
  #pending: Uint8Array = new Uint8Array();
  #at = 0;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  /** How many of the parts are copies. */
  #copied = 0;
  /** Blocks that were damaged and passed over. */
  damaged = 0;

  constructor({ tool, header } = WANDB) {
    this.#tool = tool;
    this.#header = header;
  }

  /** The records that these bytes complete. Throws Unreadable if the file is of another kind. */
  take(content: Uint8Array, isFromStart: boolean): readonly Uint8Array[] {
    if (isFromStart) this.#reset();
    this.#pending = this.#pending.length === 0 ? content : join([this.#pending, content]);
    const records: Uint8Array[] = [];
    if (this.#at === 0 && !this.#takeFileHeader()) {
      this.#pending = new Uint8Array(this.#pending);
      return records;
    }
    while (this.#takeChunk(records));
    // Copies: the bytes belong to the caller.
    this.#pending = new Uint8Array(this.#pending);
    this.#parts.push(...this.#parts.splice(this.#copied).map((part) => new Uint8Array(part)));
    this.#copied = this.#parts.length;
    return records;
  }

  #takeFileHeader(): boolean {
    if (this.#pending.length < this.#header.length) return false;
    if (this.#header.some((byte, index) => this.#pending[index] !== byte)) {
      throw new Unreadable(`It is not a ${this.#tool} file of a version that is known`);
    }
    this.#skip(this.#header.length);
    return true;
  }

  /** false: the next chunk is not complete yet. */
  #takeChunk(records: Uint8Array[]): boolean {
    const rest = BLOCK - (this.#at % BLOCK);
    if (rest < CHUNK_HEADER) return this.#trySkip(rest);
    if (this.#pending.length < CHUNK_HEADER) return false;
    const view = new DataView(this.#pending.buffer, this.#pending.byteOffset, CHUNK_HEADER);
    const length = view.getUint16(4, true);
    const type = view.getUint8(6);
    if (type < FULL || type > LAST || length > rest - CHUNK_HEADER) return this.#passOver(rest, type !== 0);
    if (this.#pending.length < CHUNK_HEADER + length) return false;
    const body = this.#pending.subarray(6, CHUNK_HEADER + length);
    if (crc32(body) !== view.getUint32(0, true)) return this.#passOver(rest, true);
    this.#addPart(type, body.subarray(1), records);
    this.#skip(CHUNK_HEADER + length);
    return true;
  }

  #addPart(type: number, data: Uint8Array, records: Uint8Array[]): void {
    if (type === FULL || type === FIRST) this.#dropParts();
    else if (this.#parts.length === 0) return;
    this.#partBytes += data.length;
    if (this.#partBytes <= MAX_RECORD) this.#parts.push(data);
    if (type !== FULL && type !== LAST) return;
    if (this.#partBytes <= MAX_RECORD) records.push(join(this.#parts));
    this.#dropParts();
  }

  /** The rest of a block holds nothing that can be read. */
  #passOver(rest: number, isDamaged: boolean): boolean {
    if (!this.#trySkip(rest)) return false;
    this.#dropParts();
    if (isDamaged) this.damaged += 1;
    return true;
  }

  #trySkip(bytes: number): boolean {
    if (this.#pending.length < bytes) return false;
    this.#skip(bytes);
    return true;
  }

  #skip(bytes: number): void {
    this.#pending = this.#pending.subarray(bytes);
    this.#at += bytes;
  }

  #dropParts(): void {
    this.#parts = [];
    this.#partBytes = 0;
    this.#copied = 0;
  }

  #reset(): void {
    this.#pending = new Uint8Array();
    this.#at = 0;
    this.damaged = 0;
    this.#dropParts();
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
