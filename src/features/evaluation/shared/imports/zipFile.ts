// Files of a ZIP archive, one at a time: by the list at the archive's end, which alone has all sizes.
import { Decompress } from 'fzstd';
import { ImportRefusal } from './importedEvaluation.ts';

/** A file that is read in parts. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `from`, fewer than `length` only at the end of the file. */
  read(from: number, length: number): Promise<Uint8Array>;
}

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly start: number;
}

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const PLACE_64 = 0x07064b50;
const END_BYTES = 22;
/** A comment may follow the end of the list. */
const MAX_COMMENT = 0xffff;
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const IS_64 = 0xffffffff;

const damaged = (): ImportRefusal =>
  new ImportRefusal('The archive is damaged or not whole: its list of files can’t be read. Copy it again.');

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where the list begins, and its bytes. */
async function findList(source: ByteSource): Promise<{ readonly at: number; readonly bytes: number }> {
  const from = Math.max(0, source.size - END_BYTES - MAX_COMMENT);
  const tail = await source.read(from, source.size - from);
  const view = viewOf(tail);
  let end = tail.length - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw damaged();
  const [bytes, at] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (at !== IS_64 && view.getUint16(end + 10, true) !== 0xffff) return { at, bytes };
  if (end < 20 || view.getUint32(end - 20, true) !== PLACE_64) throw damaged();
  const large = viewOf(await source.read(Number(view.getBigUint64(end - 12, true)), 56));
  if (large.byteLength < 56 || large.getUint32(0, true) !== END_64) throw damaged();
  return { at: Number(large.getBigUint64(48, true)), bytes: Number(large.getBigUint64(40, true)) };
}

/** Sizes and place beyond 4 GiB are in an extra field, in this order. */
function readLarge(extra: Uint8Array, fields: readonly number[]): readonly number[] {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let place = at + 4;
    return fields.map((value) => {
      if (value !== IS_64) return value;
      place += 8;
      return Number(view.getBigUint64(place - 8, true));
    });
  }
  return fields;
}

/** The files of an archive in the order of its list. Throws ImportRefusal. */
export async function listZip(source: ByteSource): Promise<readonly ZipEntry[]> {
  try {
    const { at, bytes } = await findList(source);
    if (bytes > MAX_LIST_BYTES || at + bytes > source.size) throw damaged();
    const list = await source.read(at, bytes);
    const view = viewOf(list);
    const entries: ZipEntry[] = [];
    for (let place = 0; place + 46 <= list.length && view.getUint32(place, true) === ENTRY;) {
      const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(place + field, true)) as [
        number,
        number,
        number,
      ];
      const after = place + 46 + name;
      const [size = 0, packedBytes = 0, start = 0] = readLarge(
        list.subarray(after, after + extra),
        [24, 20, 42].map((field) => view.getUint32(place + field, true)),
      );
      entries.push({
        name: new TextDecoder().decode(list.subarray(place + 46, after)),
        method: view.getUint16(place + 10, true),
        packedBytes,
        bytes: size,
        start,
      });
      place = after + extra + comment;
    }
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}

const tooLarge = (name: string, maxBytes: number): ImportRefusal =>
  new ImportRefusal(`${name} in the archive unpacks to more than ${maxBytes / 2 ** 20} MiB.`);

/** Parts of unpacked bytes as one; throws as soon as there are too many. */
function openJoin(name: string, maxBytes: number): { push(part: Uint8Array): void; join(): Uint8Array } {
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    push(part) {
      length += part.length;
      if (length > maxBytes) throw tooLarge(name, maxBytes);
      parts.push(part.slice());
    },
    join() {
      const whole = new Uint8Array(length);
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}

async function inflate(packed: Uint8Array<ArrayBuffer>, name: string, maxBytes: number): Promise<Uint8Array> {
  const joined = openJoin(name, maxBytes);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) joined.push(part.value);
  return joined.join();
}

/** Bytes that are unpacked at a time, so that a small file that unpacks to much is noticed early. */
const STEP = 64 * 1024;

function unpackZstd(packed: Uint8Array, name: string, maxBytes: number): Uint8Array {
  const joined = openJoin(name, maxBytes);
  const stream = new Decompress((part) => joined.push(part));
  for (let at = 0; at < packed.length; at += STEP)
    stream.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
  return joined.join();
}

/** Unpacks one file of an archive: stored, deflated or zstd. Throws ImportRefusal. */
export async function readZipEntry(source: ByteSource, entry: ZipEntry, maxBytes: number): Promise<Uint8Array> {
  const { name, method, packedBytes, bytes, start } = entry;
  if (bytes > maxBytes || packedBytes > maxBytes) throw tooLarge(name, maxBytes);
  const head = viewOf(await source.read(start, 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw damaged();
  const from = start + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = new Uint8Array(await source.read(from, packedBytes));
  if (packed.length < packedBytes) throw damaged();
  try {
    if (method === 0) return packed;
    if (method === 8) return await inflate(packed, name, maxBytes);
    if (method === 93) return unpackZstd(packed, name, maxBytes);
  } catch (error) {
    if (error instanceof ImportRefusal) throw error;
    throw new ImportRefusal(`${name} in the archive is damaged: it can’t be unpacked. Copy the archive again.`);
  }
  throw new ImportRefusal(
    `${name} in the archive is packed by method ${method}, which is not read here. Pack it by deflate or zstd.`,
  );
}
