// For tests: a ZIP archive of the given files.
import { deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  readonly name: string;
  readonly content: Buffer | string;
  /** 0: stored, 8: deflated; another one is written as it is. */
  readonly method?: number;
  /** What the list says instead of the true size. */
  readonly claimedBytes?: number;
}

const toHeader = (
  mark: number,
  bytes: number,
  fields: readonly (readonly [at: number, bytes: 2 | 4, value: number])[],
): Buffer => {
  const header = Buffer.alloc(bytes);
  header.writeUInt32LE(mark, 0);
  for (const [at, size, value] of fields) header.writeUIntLE(value, at, size);
  return header;
};

export function toZip(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 8, claimedBytes } of files) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const named = Buffer.from(name);
    const local = toHeader(0x04034b50, 30, [
      [8, 2, method],
      [18, 4, packed.length],
      [22, 4, bytes.length],
      [26, 2, named.length],
    ]);
    list.push(
      toHeader(0x02014b50, 46, [
        [10, 2, method],
        [20, 4, packed.length],
        [24, 4, claimedBytes ?? bytes.length],
        [28, 2, named.length],
        [42, 4, at],
      ]),
      named,
    );
    parts.push(local, named, packed);
    at += local.length + named.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const end = toHeader(0x06054b50, 22, [
    [8, 2, files.length],
    [10, 2, files.length],
    [12, 4, listed.length],
    [16, 4, at],
  ]);
  return Buffer.concat([...parts, listed, end]);
}
