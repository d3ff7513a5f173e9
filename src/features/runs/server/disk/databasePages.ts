// The pages of a large SQLite database, read from the file when a query wants them: a new row of a database of gigabytes costs
// a few pages. What a log or a journal has of them stands in memory.
import { Unreadable } from '#features/runs/server/reader.ts';
import { MAGIC, readJournal, readLog, readPiece, readWholeLog } from './databaseImage.ts';
import { readAt, showPath, withFile, type OpenFile, type SafeRoot } from './safeFile.ts';

/** A change within this time of another one may have the same time. */
const TICK_MS = 25;
/** The counter that each commit without a log changes. */
const COUNTER_AT = 24;
const HEADER_BYTES = 100;

/** The database was written to under the reading: what was read is not one state of it. */
export class Changed extends Unreadable {}

interface Overlay {
  readonly pageSize: number;
  /** Page number, from 1. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

/** Reads at once, which files on a local disk allow. */
type ReadAtOnce = (into: Uint8Array, at: number) => number;

export class DatabasePages {
  readonly #written = new Map<number, Uint8Array>();

  constructor(
    readonly bytes: number,
    private readonly read: ReadAtOnce,
    private readonly overlays: readonly Overlay[],
    /** Throws Changed if the file is no longer what it was. */
    readonly check: () => void,
  ) {}

  /**
   * What sql.js takes for the bytes of a file. Its file system in memory (MEMFS of Emscripten, sql.js 1.16) asks `slice` for
   * the contents of a new file, and these for `subarray` and `set`.
   */
  toFile(): Uint8Array {
    const contents = {
      // It never has to grow: what is written past its end is kept here too.
      length: Infinity,
      subarray: (from: number, to: number) => this.#toBytes(from, to),
      set: (bytes: Uint8Array, at: number) => this.#written.set(at, new Uint8Array(bytes)),
    };
    return { length: this.bytes, subarray: contents.subarray, slice: () => contents } as unknown as Uint8Array;
  }

  #toBytes(from: number, to: number): Uint8Array {
    const bytes = new Uint8Array(to - from);
    for (let done = 0; done < bytes.length;) {
      const count = this.read(bytes.subarray(done), from + done);
      if (count === 0) break;
      done += count;
    }
    for (const { pageSize, pages } of this.overlays)
      for (let page = Math.floor(from / pageSize) + 1; (page - 1) * pageSize < to; page += 1)
        copyOver(bytes, from, pages.get(page), (page - 1) * pageSize);
    // Its header no longer says that it has a log.
    for (const at of [18, 19]) if (from <= at && at < to) bytes[at - from] = 1;
    for (const [at, written] of this.#written) copyOver(bytes, from, written, at);
    return bytes;
  }
}

/** Copies the part of `source`, which begins at `at`, that lies in `target`, which begins at `from`. */
function copyOver(target: Uint8Array, from: number, source: Uint8Array | undefined, at: number): void {
  if (!source) return;
  const start = Math.max(from, at);
  const end = Math.min(from + target.length, at + source.length);
  if (start < end) target.set(source.subarray(start - at, end - at), start - from);
}

const toOverlay = (file: Uint8Array, pageSize: number, places: ReadonlyMap<number, number>): Overlay => ({
  pageSize,
  pages: new Map([...places].map(([page, place]) => [page, file.subarray(place, place + pageSize)])),
});

/** As it is once its newest change has a time of its own. */
async function waitForRest({ file, calls, stats }: OpenFile): Promise<OpenFile['stats']> {
  if (Math.abs(Date.now() - stats.mtimeMs) > TICK_MS) return stats;
  await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  return calls.fstat(file);
}

/** Whether the pages of a file can be read one by one: its disk answers at once. */
export const hasPagesAtOnce = ({ calls }: SafeRoot, absolute: string): boolean =>
  calls.isLocal && !calls.isFar(absolute);

/**
 * Gives `use` the pages of a database as its last commit left it. Throws Gone and Unreadable; Changed, also from queries, if
 * it is written to meanwhile.
 */
export async function withPages<Value>(
  root: SafeRoot,
  path: string,
  use: (pages: DatabasePages) => Promise<Value>,
): Promise<Value> {
  return withFile(root, path, async (open) => {
    const { file, calls } = open;
    const stats = await waitForRest(open);
    const header = await readAt(open, 0, HEADER_BYTES);
    const log = await readPiece(root, `${path}-wal`, (piece) => readWholeLog(piece, `${path}-wal`));
    const journal = await readPiece(root, `${path}-journal`, (piece) => readWholeLog(piece, `${path}-journal`));
    if (Buffer.from(header.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC)
      throw new Unreadable(`${showPath(path)} is not a SQLite database, or it is encrypted.`);
    const undone = journal && readJournal(journal.bytes, stats.size);
    const committed = log && readLog(log.bytes);
    const overlays: Overlay[] = [];
    if (undone) overlays.push(toOverlay(journal.bytes, undone.pageSize, undone.pages));
    if (committed) overlays.push(toOverlay(log.bytes, committed.pageSize, committed.pages));
    const last = committed ?? undone;
    const read: ReadAtOnce = (into, at) => {
      const count = calls.read(file, into, at);
      if (typeof count === 'number') return count;
      throw new Unreadable(`${showPath(path)} is on a disk that does not answer at once.`);
    };
    const check = (): void => {
      const now = calls.fstat(file);
      const counter = new Uint8Array(4);
      read(counter, COUNTER_AT);
      const isSame =
        !(now instanceof Promise) &&
        now.size === stats.size &&
        now.mtimeMs === stats.mtimeMs &&
        Buffer.compare(counter, header.subarray(COUNTER_AT, COUNTER_AT + 4)) === 0;
      if (!isSame) throw new Changed(`${showPath(path)} is being written to. It is read again when it changes.`);
    };
    // Log, journal and file belong together.
    check();
    return use(new DatabasePages(last ? last.pageCount * last.pageSize : stats.size, read, overlays, check));
  });
}
