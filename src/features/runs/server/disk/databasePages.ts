// The pages of a SQLite database as its last commit left them: those of the main file, without what an unfinished transaction
// wrote into it, and with those of its write-ahead log. A small file is read whole; of a large one a query reads the pages
// that it wants, so that a new row of a database of gigabytes costs a few of them.
import { Unreadable } from '#features/runs/server/reader.ts';
import { toMebibytes } from '#features/runs/server/sizeText.ts';
import { readJournal, readLog } from './databaseLogs.ts';
import { Gone, readAt, readWhole, showPath, toAbsolute, withFile, type OpenFile, type SafeRoot } from './safeFile.ts';

/** The largest file that is read whole where pages can't be read one by one, and the largest log or journal. */
const MAX_BYTES = 512 * 2 ** 20;
/** A change within this time of another one may have the same time. */
const TICK_MS = 25;
/** The counter that each commit without a log changes. */
const COUNTER_AT = 24;
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** The database was written to under the reading: what was read is not one state of it. */
export class Changed extends Unreadable {}

interface Overlay {
  readonly pageSize: number;
  /** Page number, from 1. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

/** Reads at once, which files on a local disk allow. Gives the number of bytes. */
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

/** A log or journal beside the database; null: there is none. */
async function readBeside(root: SafeRoot, path: string): Promise<Uint8Array | null> {
  try {
    return await withFile(root, path, (open) => readWhole(open, path, MAX_BYTES));
  } catch (error) {
    if (error instanceof Gone) return null;
    throw error;
  }
}

/** As it is once its newest change has a time of its own. */
async function waitForRest({ file, calls, stats }: OpenFile): Promise<OpenFile['stats']> {
  if (Math.abs(Date.now() - stats.mtimeMs) > TICK_MS) return stats;
  await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  return calls.fstat(file);
}

const readFrom =
  (whole: Uint8Array): ReadAtOnce =>
  (into, at) => {
    const part = whole.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  };

/**
 * Gives `use` the pages of a database. Throws Gone and Unreadable; Changed, also from queries, if it is written to meanwhile.
 * `mostCopied`: the largest file that is read whole, which needs no second look; on a disk that may not answer at once each
 * is, up to MAX_BYTES.
 */
export async function withPages<Value>(
  root: SafeRoot,
  path: string,
  mostCopied: number,
  use: (pages: DatabasePages) => Promise<Value>,
): Promise<Value> {
  return withFile(root, path, async (open) => {
    const { file, calls } = open;
    const stats = await waitForRest(open);
    const { size } = stats;
    const isAtOnce = calls.isLocal && !calls.isFar(toAbsolute(root, path));
    if (!isAtOnce && size > MAX_BYTES)
      throw new Unreadable(
        `${showPath(path)} has ${toMebibytes(size)}; databases of up to ${toMebibytes(MAX_BYTES)} are read.`,
      );
    const whole = !isAtOnce || size <= mostCopied ? await readAt(open, 0, size) : null;
    const header = (whole ?? (await readAt(open, 0, HEADER_BYTES))).subarray(0, HEADER_BYTES);
    if (Buffer.from(header.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC)
      throw new Unreadable(`${showPath(path)} is not a SQLite database, or it is encrypted.`);
    const log = await readBeside(root, `${path}-wal`);
    const journal = await readBeside(root, `${path}-journal`);
    const undone = journal && readJournal(journal, size);
    const committed = log && readLog(log);
    const toOverlay = (bytes: Uint8Array, { pageSize, pages }: NonNullable<typeof undone>): Overlay => ({
      pageSize,
      pages: new Map([...pages].map(([page, at]) => [page, bytes.subarray(at, at + pageSize)])),
    });
    const overlays = [
      ...(undone ? [toOverlay(journal, undone)] : []),
      ...(committed ? [toOverlay(log, committed)] : []),
    ];
    const compare = (now: OpenFile['stats'], counter: Uint8Array): void => {
      const isSame =
        now.size === size &&
        now.mtimeMs === stats.mtimeMs &&
        Buffer.compare(counter, header.subarray(COUNTER_AT, COUNTER_AT + 4)) === 0;
      if (!isSame) throw new Changed(`${showPath(path)} is being written to. It is read again when it changes.`);
    };
    // Log, journal and file belong together.
    compare(await calls.fstat(file), await readAt(open, COUNTER_AT, 4));
    const read: ReadAtOnce = (into, at) => calls.read(file, into, at) as number;
    const check = (): void => {
      const counter = new Uint8Array(4);
      read(counter, COUNTER_AT);
      compare(calls.fstat(file) as OpenFile['stats'], counter);
    };
    const last = committed ?? undone;
    const bytes = last ? last.pageCount * last.pageSize : size;
    return use(
      whole
        ? new DatabasePages(bytes, readFrom(whole), overlays, () => undefined)
        : new DatabasePages(bytes, read, overlays, check),
    );
  });
}
