import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { toParquetBuffer } from './parquetFile.ts';
import { ParquetProblem, readParquetLines } from './parquetLines.ts';

/** Two rows of prompt and completion, as pyarrow 26 writes them. */
const FILES = {
  zstd:
    'UEFSMRUAFS4VQCwVBBUAFQYVBhwAAAAotS/9IBe5AAACAAAABAECAAAASGkHAAAAR3LDvMOfZRUAFTAVQiwVBBUAFQYVBhwAAAAo' +
    'tS/9IBjBAAACAAAABAEFAAAASGVsbG8FAAAASGFsbG8VBBk8NQAYBnNjaGVtYRUEABUMJQIYBnByb21wdCUATBwAAAAVDCUCGApj' +
    'b21wbGV0aW9uJQBMHAAAABYEGRwZLCYAHBUMGSUGABkYBnByb21wdBUMFgQWVBZmJghJHBUAFQAVAgA8FhIZBhkmAAQAAAAmABwV' +
    'DBklBgAZGApjb21wbGV0aW9uFQwWBBZWFmgmbkkcFQAVABUCADwWFBkGGSYABAAAABaqARYEJggWzgEAKCBwYXJxdWV0LWNwcC1h' +
    'cnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAAN0AAABQQVIx',
  gzip:
    'UEFSMRUAFS4VUCwVBBUAFQYVBhwAAAAfiwgAAAAAAAIDY2JgYGBhZAKSHpnsQNK96PCew/NTAbpywVAXAAAAFQAVMBVMLBUEFQAV' +
    'BhUGHAAAAB+LCAAAAAAAAgNjYmBgYGFkBZIeqTk5+WBGIpABAE9aT8UYAAAAFQQZPDUAGAZzY2hlbWEVBAAVDCUCGAZwcm9tcHQl' +
    'AEwcAAAAFQwlAhgKY29tcGxldGlvbiUATBwAAAAWBBkcGSwmABwVDBklBgAZGAZwcm9tcHQVBBYEFlQWdiYISRwVABUAFQIAPBYS' +
    'GQYZJgAEAAAAJgAcFQwZJQYAGRgKY29tcGxldGlvbhUEFgQWVhZyJn5JHBUAFQAVAgA8FhQZBhkmAAQAAAAWqgEWBCYIFugBACgg' +
    'cGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZLBwAABwAAADdAAAAUEFSMQ==',
  brotli:
    'UEFSMRUAFS4VNiwVBBUAFQYVBhwAAAALC4ACAAAABAECAAAASGkHAAAAR3LDvMOfZQMVABUwFTgsFQQVABUGFQYcAAAAiwuAAgAA' +
    'AAQBBQAAAEhlbGxvBQAAAEhhbGxvAxUEGTw1ABgGc2NoZW1hFQQAFQwlAhgGcHJvbXB0JQBMHAAAABUMJQIYCmNvbXBsZXRpb24l' +
    'AEwcAAAAFgQZHBksJgAcFQwZJQYAGRgGcHJvbXB0FQgWBBZUFlwmCEkcFQAVABUCADwWEhkGGSYABAAAACYAHBUMGSUGABkYCmNv' +
    'bXBsZXRpb24VCBYEFlYWXiZkSRwVABUAFQIAPBYUGQYZJgAEAAAAFqoBFgQmCBa6AQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNp' +
    'b24gMjYuMC4xGSwcAAAcAAAA3QAAAFBBUjE=',
  lz4:
    'UEFSMRUAFS4VLiwVBBUAFQYVBhwAAABgAgAAAAQBBgDQSGkHAAAAR3LDvMOfZRUAFTAVNCwVBBUAFQYVBhwAAADwCQIAAAAEAQUA' +
    'AABIZWxsbwUAAABIYWxsbxUEGTw1ABgGc2NoZW1hFQQAFQwlAhgGcHJvbXB0JQBMHAAAABUMJQIYCmNvbXBsZXRpb24lAEwcAAAA' +
    'FgQZHBksJgAcFQwZJQYAGRgGcHJvbXB0FQ4WBBZUFlQmCEkcFQAVABUCADwWEhkGGSYABAAAACYAHBUMGSUGABkYCmNvbXBsZXRp' +
    'b24VDhYEFlYWWiZcSRwVABUAFQIAPBYUGQYZJgAEAAAAFqoBFgQmCBauAQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYu' +
    'MC4xGSwcAAAcAAAA3QAAAFBBUjE=',
};

async function read(bytes: Uint8Array<ArrayBuffer>, most?: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const lines of readParquetLines(toParquetBuffer(bytes), most))
    rows.push(...lines.map((line) => JSON.parse(line) as unknown));
  return rows;
}
const reasonOf = (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  read(bytes).then(
    () => 'it was read',
    (error: unknown) => (error instanceof ParquetProblem ? error.message : `a defect: ${String(error)}`),
  );

it.each(Object.entries(FILES))('reads %s', async (_codec, text) => {
  expect(await read(Uint8Array.from(Buffer.from(text, 'base64')))).toEqual([
    { prompt: 'Hi', completion: 'Hello' },
    { prompt: 'Grüße', completion: 'Hallo' },
  ]);
});

const messages = [{ role: 'user', content: 'Hi' }];
const toFile = (rows: number): Uint8Array<ArrayBuffer> => {
  const of = <Value>(value: Value): Value[] => Array.from({ length: rows }, () => value);
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'messages', data: of(messages), type: 'JSON' },
        { name: 'id', data: of(7n), type: 'INT64' },
        { name: 'large', data: of(2n ** 60n), type: 'INT64' },
        { name: 'image', data: of(new Uint8Array(3)), type: 'BYTE_ARRAY' },
      ],
    }),
  );
};

it('gives lists and numbers as JSON has them, large numbers as texts, and no bytes', async () => {
  expect(await read(toFile(1))).toEqual([{ messages, id: 7, large: '1152921504606846976', image: '(3 bytes)' }]);
});

it('reads some thousand rows step by step, and no more than are wanted', async () => {
  expect(await read(toFile(2500))).toHaveLength(2500);
  expect(await read(toFile(2500), 1200)).toHaveLength(1200);
  expect(await read(toFile(0))).toEqual([]);
});

it('reads a group of rows once, not for each thousand of them', async () => {
  const file = toParquetBuffer(toFile(9000));
  let reads = 0;
  const slice = (start: number, end?: number) => {
    reads += 1;
    return file.slice(start, end);
  };
  const counts: number[] = [];
  for await (const lines of readParquetLines({ ...file, slice })) counts.push(lines.length);
  expect(counts).toEqual(Array.from({ length: 9 }, () => 1000));
  // The end, its mark, and the columns.
  expect(reads).toBeLessThan(8);
});

it.each([
  ['a cut file', (file: Uint8Array<ArrayBuffer>) => file.slice(0, -9), 'The end of the Parquet file is missing'],
  [
    'metadata of another length',
    (file: Uint8Array<ArrayBuffer>) => file.with(file.length - 8, 3),
    'The Parquet file is damaged',
  ],
  ['a page of another kind', (file: Uint8Array<ArrayBuffer>) => file.with(4, 0xff), "The rows from 1 on can't be read"],
])('says why %s can not be read', async (_name, damage, reason) => {
  expect(await reasonOf(new Uint8Array(damage(toFile(20))))).toContain(reason);
});
