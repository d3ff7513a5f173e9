// The bytes of a SQLite database as its last commit left them: the main file, without what an unfinished transaction
// wrote into it, and with the pages of its write-ahead log. Sections 3 and 4 of https://www.sqlite.org/fileformat2.html
import { Unreadable } from '#features/runs/server/reader.ts';
import { toMebibytes } from '#features/runs/server/sizeText.ts';
import { Gone, readAt, readWhole, showPath, withFile, type OpenFile, type SafeRoot } from './safeFile.ts';

/** Main file and log together. sql.js holds the whole database in memory. */
const MAX_DATABASE_BYTES = 512 * 2 ** 20;

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** `SQLite format 3\0` */
export const MAGIC = 'SQLite format 3\0';
/** The last bit says in which byte order the checksums count. */
const LOG_MAGIC = 0x377f0682;

type Sums = readonly [number, number];

/** SQLite's checksum: two sums over pairs of 32-bit words. */
function addSums(view: DataView, at: number, length: number, isLittle: boolean, [first, second]: Sums): Sums {
  let [a, b] = [first, second];
  for (let place = at; place < at + length; place += 8) {
    a = (a + view.getUint32(place, isLittle) + b) >>> 0;
    b = (b + view.getUint32(place + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

interface StoredPages {
  readonly pageSize: number;
  /** Page number (from 1) -> place of its content in the log or journal. */
  readonly pages: ReadonlyMap<number, number>;
  /** Pages of the database with them. */
  readonly pageCount: number;
}

/** The committed frames of a log. null: none, which is also what a log from before the last restart has. */
export function readLog(log: Uint8Array): StoredPages | null {
  if (log.length < LOG_HEADER_BYTES) return null;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  if (magic >>> 1 !== LOG_MAGIC >>> 1 || !isPageSize(pageSize)) return null;
  const isLittle = (magic & 1) === 0;
  let sums = addSums(view, 0, 24, isLittle, [0, 0]);
  if (sums[0] !== view.getUint32(24) || sums[1] !== view.getUint32(28)) return null;

  const pages = new Map<number, number>();
  let waiting: (readonly [page: number, place: number])[] = [];
  let pageCount = 0;
  const step = FRAME_HEADER_BYTES + pageSize;
  for (let at = LOG_HEADER_BYTES; at + step <= log.length; at += step) {
    // Frames from before the last restart of the log follow the valid ones.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    sums = addSums(view, at, 8, isLittle, sums);
    sums = addSums(view, at + FRAME_HEADER_BYTES, pageSize, isLittle, sums);
    if (sums[0] !== view.getUint32(at + 16) || sums[1] !== view.getUint32(at + 20)) break;
    waiting.push([view.getUint32(at), at + FRAME_HEADER_BYTES]);
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    pageCount = committed;
    for (const [page, place] of waiting) pages.set(page, place);
    waiting = [];
  }
  return pages.size === 0 ? null : { pageSize, pages, pageCount };
}

/** The database after the last commit of its log. May write into `main`. */
export function overlayLog(main: Uint8Array, log: Uint8Array): Uint8Array {
  const committed = readLog(log);
  if (!committed) return main;
  const { pageSize, pages, pageCount } = committed;
  const bytes = pageCount * pageSize;
  if (bytes > MAX_DATABASE_BYTES) throw new Unreadable(`The database has ${toMebibytes(bytes)}, which is too much.`);
  let image = main;
  if (bytes !== main.length) {
    // Longer, or cut by a vacuum.
    image = new Uint8Array(bytes);
    image.set(main.subarray(0, bytes));
  }
  for (const [page, place] of pages) {
    if (page >= 1 && page <= pageCount) image.set(log.subarray(place, place + pageSize), (page - 1) * pageSize);
  }
  return image;
}

const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * The pages as they were before a transaction that did not end: a rollback journal is there only while one goes on, or after
 * its process was killed. null: it ended.
 */
export function readJournal(journal: Uint8Array, mainBytes: number): StoredPages | null {
  const view = new DataView(journal.buffer, journal.byteOffset, journal.byteLength);
  const isHeader = (at: number) =>
    at + 28 <= journal.length && Buffer.compare(journal.subarray(at, at + 8), JOURNAL_MAGIC) === 0;
  // A journal that ended has no header: it was cleared or emptied.
  if (!isHeader(0)) return null;
  const pageCount = view.getUint32(16);
  const sectorSize = view.getUint32(20);
  const pageSize = view.getUint32(24);
  if (!isPageSize(pageSize) || sectorSize < 28 || pageCount * pageSize > mainBytes) return null;
  const pages = new Map<number, number>();
  const step = pageSize + 8;
  for (let at = 0; isHeader(at);) {
    const count = view.getUint32(at + 8);
    let place = at + sectorSize;
    // All bits set: as many as there are.
    const end = count === 0xffffffff ? journal.length : Math.min(journal.length, place + count * step);
    for (; place + step <= end; place += step) {
      const page = view.getUint32(place);
      if (page >= 1 && page <= pageCount) pages.set(page, place + 4);
    }
    at = Math.ceil(Math.max(place, at + 1) / sectorSize) * sectorSize;
  }
  return { pageSize, pages, pageCount };
}

/** Takes back what a transaction wrote into the main file. Writes into `main`. */
export function rollBack(main: Uint8Array, journal: Uint8Array): Uint8Array {
  const undone = readJournal(journal, main.length);
  if (!undone) return main;
  const { pageSize, pages, pageCount } = undone;
  for (const [page, place] of pages) main.set(journal.subarray(place, place + pageSize), (page - 1) * pageSize);
  return main.subarray(0, pageCount * pageSize);
}

/** Makes an image readable without a log: its header no longer says that it has one. */
function toPlainDatabase(image: Uint8Array, path: string): Uint8Array {
  const magic = Buffer.from(image.buffer, image.byteOffset, Math.min(16, image.length)).toString('latin1');
  if (magic !== MAGIC) throw new Unreadable(`${showPath(path)} is not a SQLite database, or it is encrypted.`);
  image[18] = 1;
  image[19] = 1;
  return image;
}

interface Piece {
  readonly bytes: Uint8Array;
  /** Changes whenever the file is written to. */
  readonly version: string;
}

const NONE: Piece = { bytes: new Uint8Array(), version: 'none' };

/** A file beside the database; null: there is none. */
export async function readPiece(
  root: SafeRoot,
  path: string,
  read: (open: OpenFile) => Promise<Uint8Array>,
): Promise<Piece | null> {
  try {
    return await withFile(root, path, async (open) => {
      const { dev, ino, size, mtimeMs } = open.stats;
      return { bytes: await read(open), version: `${dev} ${ino} ${size} ${mtimeMs}` };
    });
  } catch (error) {
    if (error instanceof Gone) return null;
    throw error;
  }
}

/** A log or journal of a database of any size. Throws Unreadable if it is too large itself. */
export async function readWholeLog(open: OpenFile, path: string): Promise<Uint8Array> {
  return readWhole(open, path, MAX_DATABASE_BYTES);
}

/** How often a database is read again that changes under the reading. */
const ATTEMPTS = 3;

/**
 * The database as its last commit left it, the log included. Main file and log belong together: while the main file and
 * the log's header stay the same, the log only grows, and what it got later is not needed. Throws Gone and Unreadable.
 */
export async function readDatabase(root: SafeRoot, path: string): Promise<Uint8Array> {
  const logPath = `${path}-wal`;
  const bounded = async (open: OpenFile, used: number): Promise<Uint8Array> => {
    const { size } = open.stats;
    if (used + size <= MAX_DATABASE_BYTES) return readAt(open, 0, size);
    const [has, most] = [toMebibytes(used + size), toMebibytes(MAX_DATABASE_BYTES)];
    throw new Unreadable(`${showPath(path)} has ${has}; databases of up to ${most} are read.`);
  };
  const headerOf = (open: OpenFile) => readAt(open, 0, LOG_HEADER_BYTES);

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const log = (await readPiece(root, logPath, (open) => bounded(open, 0))) ?? NONE;
    const main = await readPiece(root, path, (open) => bounded(open, log.bytes.length));
    if (!main) throw new Gone(path);
    const logAfter = (await readPiece(root, logPath, headerOf)) ?? NONE;
    const journal = await readPiece(root, `${path}-journal`, (open) => bounded(open, main.bytes.length));
    const mainAfter = await readPiece(root, path, () => Promise.resolve(NONE.bytes));
    const isSameLog = Buffer.compare(logAfter.bytes, log.bytes.subarray(0, LOG_HEADER_BYTES)) === 0;
    if (!isSameLog || mainAfter?.version !== main.version) continue;
    const committed = journal ? rollBack(main.bytes, journal.bytes) : main.bytes;
    return toPlainDatabase(overlayLog(committed, log.bytes), path);
  }
  throw new Unreadable(`${showPath(path)} is being written to. It is read again when it changes.`);
}
