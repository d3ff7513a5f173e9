// Records -> the bytes of a project's file: a line each, gzip'd, and a last line that says what came before it.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip, constants, type Gzip } from 'node:zlib';
import type { TransferRecord } from './records.ts';

/** Lines are joined up to this length. In UTF-16 units. */
const CHUNK = 64 * 1024;
/** Model files hardly get smaller, and rows get small quickly. */
const LEVEL = 4;

/** Texts of whole lines. */
export async function* toLines(records: AsyncIterable<TransferRecord>): AsyncGenerator<string, void> {
  const hash = createHash('sha256');
  let lines = 0;
  let text = '';
  for await (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    lines += 1;
    if (text.length < CHUNK) continue;
    hash.update(text);
    yield text;
    text = '';
  }
  hash.update(text);
  const end: TransferRecord = { kind: 'end', lines, sha256: hash.digest('hex') };
  yield `${text}${JSON.stringify(end)}\n`;
}

/** A failure of `records` destroys it, so that no half file looks whole. */
export function toFileStream(records: AsyncIterable<TransferRecord>): Gzip {
  const gzip = createGzip({ level: LEVEL, strategy: constants.Z_DEFAULT_STRATEGY });
  const source = Readable.from(toLines(records), { objectMode: true, highWaterMark: 2 });
  source.on('error', (error) => gzip.destroy(error));
  gzip.on('close', () => source.destroy());
  return source.pipe(gzip);
}
