// A file that claims want: what it was at the last look, and which parts of it each claim has had.
import type { Stats } from 'node:fs';
import type { ReadMode } from '#features/runs/server/reader.ts';
import { isSilent, toAbsolute, type SafeRoot } from './safeFile.ts';
import type { TailPosition } from './tail.ts';

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
