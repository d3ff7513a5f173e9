// What a write-ahead log or a rollback journal has of the pages of a SQLite database. Pure. Sections 3 and 4 of
// https://www.sqlite.org/fileformat2.html

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
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
