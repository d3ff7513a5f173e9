// For tests: SQLite databases with a write-ahead log, made without SQLite's own log code. Checked once against the
// sqlite3 of Python 3: it reads the same rows from these files, and `databaseImage.ts` the same from files that it wrote.
import initSqlJs, { type Database } from 'sql.js';

const PAGE_BYTES = 4096;

function addSums(bytes: Buffer, [first, second]: [number, number]): [number, number] {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32BE(at) + b) >>> 0;
    b = (b + bytes.readUInt32BE(at + 4) + a) >>> 0;
  }
  return [a, b];
}

function toLogDatabase(database: Database): Buffer {
  const bytes = Buffer.from(database.export());
  bytes[18] = 2;
  bytes[19] = 2;
  return bytes;
}

const page = (bytes: Buffer, number: number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);

/** A log whose commits lead from the first image to the last, one after the other. */
export function toLog(images: readonly Buffer[], salts: readonly [number, number] = [0x0badcafe, 1]): Buffer {
  const header = Buffer.alloc(32);
  header.writeUInt32BE(0x377f0683, 0);
  header.writeUInt32BE(3_007_000, 4);
  header.writeUInt32BE(PAGE_BYTES, 8);
  header.writeUInt32BE(salts[0], 16);
  header.writeUInt32BE(salts[1], 20);
  let sums = addSums(header.subarray(0, 24), [0, 0]);
  header.writeUInt32BE(sums[0], 24);
  header.writeUInt32BE(sums[1], 28);
  const parts: Uint8Array[] = [header];
  for (const [index, image] of images.entries()) {
    const before = images[index - 1];
    if (!before) continue;
    const count = image.length / PAGE_BYTES;
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    const changed = numbers.filter((number) => !page(image, number).equals(page(before, number)));
    for (const number of changed) {
      const frame = Buffer.alloc(24);
      frame.writeUInt32BE(number, 0);
      frame.writeUInt32BE(number === changed.at(-1) ? count : 0, 4);
      frame.writeUInt32BE(salts[0], 8);
      frame.writeUInt32BE(salts[1], 12);
      sums = addSums(page(image, number), addSums(frame.subarray(0, 8), sums));
      frame.writeUInt32BE(sums[0], 16);
      frame.writeUInt32BE(sums[1], 20);
      parts.push(frame, page(image, number));
    }
  }
  return Buffer.concat(parts);
}

export interface LogDatabase {
  readonly main: Buffer;
  /** The `-wal` file after each step. */
  readonly logs: readonly Buffer[];
  /** The whole database after each step, as a checkpoint would leave it. */
  readonly images: readonly Buffer[];
}

/** A database made by `first`, and the log after each further step, each of which is one commit. */
export async function makeLogDatabase(first: string, ...steps: readonly string[]): Promise<LogDatabase> {
  const { Database } = await initSqlJs();
  const database = new Database();
  try {
    database.run(`pragma page_size = ${PAGE_BYTES}`);
    database.run(first);
    const main = toLogDatabase(database);
    const images = steps.map((sql) => {
      database.run(sql);
      return toLogDatabase(database);
    });
    return { main, images, logs: images.map((_, index) => toLog([main, ...images.slice(0, index + 1)])) };
  } finally {
    database.close();
  }
}
