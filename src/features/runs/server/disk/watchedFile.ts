// A file that claims want: what it was at the last look, and which parts of it each claim has had.
import { MAX_LOG_BYTES, type ReadMode } from '#features/runs/server/reader.ts';
import { isSilent, readAt, toAbsolute, type OpenFile, type SafeRoot } from './safeFile.ts';
import type { Stats } from 'node:fs';

// Reads what was appended to a file since the last time, in chunks, and notices when it is another file.

/** The most that one turn reads of one file. */
const CHUNK_BYTES = 4 * 2 ** 20;

/** The first chunk of a file that is longer than LONG_BYTES: what stands before the points. */
const FIRST_BYTES = 32 * 2 ** 10;
const LONG_BYTES = 256 * 2 ** 10;

/** How many bytes before the position are compared: an inode is used again, and a file may be cut and written anew. */
const MARK_BYTES = 64;

export interface TailPosition {
  readonly device: number;
  readonly inode: number;
  readonly offset: number;
  /** The last bytes before the offset. */
  readonly mark: Uint8Array;
}

export interface TailChunk {
  readonly content: Uint8Array;
  readonly isFromStart: boolean;
  readonly skippedBytes: number;
  /** Where to go on. */
  readonly next: TailPosition;
  /** More is there now. */
  readonly isMore: boolean;
}

interface TailOptions {
  readonly from: 'start' | 'end';
  readonly chunkBytes?: number;
  readonly logBytes?: number;
  /** Where a chunk is read to; a new place for each by default. */
  readonly toRoom?: (length: number) => Uint8Array;
}

const isEqual = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** Copied, so that it doesn't keep a chunk of 4 MB in memory. */
const lastBytes = (before: Uint8Array, content: Uint8Array): Uint8Array =>
  content.length >= MARK_BYTES
    ? content.slice(-MARK_BYTES)
    : new Uint8Array(Buffer.concat([before, content]).subarray(-MARK_BYTES));

/** The bytes after a position; from the start (or the last `logBytes`) if there is none, or the file is another one. */
export async function readTail(
  open: OpenFile,
  position: TailPosition | null,
  options: TailOptions,
): Promise<TailChunk> {
  const { chunkBytes = CHUNK_BYTES, logBytes = MAX_LOG_BYTES, toRoom } = options;
  const { dev: device, ino: inode, size } = open.stats;
  if (position && position.device === device && position.inode === inode && size >= position.offset) {
    const { offset, mark } = position;
    const length = Math.min(chunkBytes, size - offset);
    const bytes = await readAt(open, offset - mark.length, mark.length + length, toRoom?.(mark.length + length));
    if (isEqual(bytes.subarray(0, mark.length), mark)) {
      const content = bytes.subarray(mark.length);
      const end = offset + content.length;
      const next = { device, inode, offset: end, mark: lastBytes(mark, content) };
      return { content, isFromStart: false, skippedBytes: 0, next, isMore: content.length > 0 && end < size };
    }
  }
  const start = options.from === 'end' ? Math.max(0, size - logBytes) : 0;
  const length = size - start > LONG_BYTES ? Math.min(FIRST_BYTES, chunkBytes) : Math.min(chunkBytes, size - start);
  const content = await readAt(open, start, length, toRoom?.(length));
  const next = { device, inode, offset: start + content.length, mark: lastBytes(new Uint8Array(), content) };
  return { content, isFromStart: true, skippedBytes: start, next, isMore: content.length > 0 && next.offset < size };
}

/** Beside a database: its log and its journal change while the database itself stays. */
const COMPANIONS = ['-wal', '-journal'];

/** What one claim has had of a file. */
export interface FileState {
  readonly watched: WatchedFile;
  readonly read: ReadMode;
  /** The version that was given; null: none. */
  version: string | null;
  position: TailPosition | null;
  isDirty: boolean;
  /** Failed attempts since the last change. */
  attempts: number;
  /** Not read before this time of `performance.now()`: it failed, or reading it is costly. 0: at once. */
  waitUntil: number;
}

export class WatchedFile {
  bytes = 0;
  /** Unix milliseconds, as the file system says. */
  modifiedAt = 0;
  /** Changes with each change of the file; null: it is not there. */
  version: string | null = null;
  /** When we saw it change; 0: never. */
  seenToChangeAt = 0;
  /** Another change could have the same time as the one that was read. */
  isFresh = false;

  constructor(
    readonly path: string,
    public isDatabase: boolean,
  ) {}

  /** Whether it changed within this time, by its own clock or by ours. A time of the future alone does not count. */
  changedWithin(milliseconds: number, now: number): boolean {
    return now - this.seenToChangeAt <= milliseconds || Math.abs(now - this.modifiedAt) <= milliseconds;
  }

  /** Looks at size and time. true: it changed since the last look. */
  async look(root: SafeRoot): Promise<boolean> {
    const before = this.version;
    const wasFresh = this.isFresh;
    this.isFresh = false;
    try {
      this.version = await this.#findVersion(root);
    } catch (error) {
      if (isSilent(root, error)) {
        this.isFresh = wasFresh;
        return false;
      }
      // The reading then says why.
      this.version = `unreadable ${String(error)}`;
    }
    return wasFresh || this.version !== before;
  }

  async #findVersion(root: SafeRoot): Promise<string | null> {
    const absolute = toAbsolute(root, this.path);
    const stats = await root.calls.stat(absolute);
    if (!stats?.isFile()) return null;
    let version = toVersion(stats);
    let modifiedAt = stats.mtimeMs;
    for (const companion of this.isDatabase ? COMPANIONS : []) {
      const beside = await root.calls.stat(`${absolute}${companion}`);
      version += beside ? `|${toVersion(beside)}` : '|';
      // Programs that only read the database make empty ones.
      if (beside && beside.size > 0) modifiedAt = Math.max(modifiedAt, beside.mtimeMs);
    }
    this.bytes = stats.size;
    this.modifiedAt = modifiedAt;
    return version;
  }
}

const toVersion = ({ dev, ino, size, mtimeMs }: Stats): string => `${dev}:${ino}:${size}:${mtimeMs}`;
