// One claim of a format: gives its reading the bytes of its files in order, and keeps what the reading says.
// A reading that fails is a problem of its claim, and of nothing else.
import { Silence } from '#service/files/mountCalls.ts';
import { messageOf } from '#features/runs/server/errorText.ts';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { toMebibytes } from '#features/runs/server/sizeText.ts';
import {
  Unreadable,
  type Claim,
  type FileChange,
  type FormatReader,
  type ReadMode,
  type RunReading,
} from '#features/runs/server/reader.ts';
import type { TimeSlicer } from './timeSlicer.ts';
import type { FolderNode } from './folderTree.ts';
import { openDatabase } from './openDatabase.ts';
import { Gone, isSilent, readAt, readWhole, showPath, toSentence, type SafeRoot, withFile } from './safeFile.ts';
import { readTail, type FileState, type WatchedFile } from './watchedFile.ts';

/** An unreadable file is tried again after 1, 2, 4 ... seconds without a change, so often. */
const ATTEMPTS = 6;
/** A file that takes long to read (a large database) is read again only after this many times that time. */
const READING_REST = 20;
const COSTLY_MS = 25;
const MAX_REST_MS = 30_000;
/** A root that doesn't answer is looked at as often. */
const SILENT_REST_MS = 2_000;
/** A change within this time of the reading may hide another one. */
const FRESH_MS = 50;
/** The largest head that is read. */
const MAX_HEAD_BYTES = 25 * 2 ** 20;

export interface ClaimContext {
  readonly root: SafeRoot;
  readonly now: () => number;
  readonly slicer: TimeSlicer;
  /** Whether the root itself is still there: a file of a root that is away is not gone. */
  readonly isThere: () => Promise<boolean>;
  /** Room for a chunk of a tail: the same for one after the other. */
  readonly toRoom: (length: number) => Uint8Array;
}

/** One claim of a format, and what its reading says. */
export interface ClaimState {
  /** Unique in the root, and stable as long as the claim's key is. */
  readonly id: string;
  readonly format: string;
  /** The format's name for people. */
  readonly label: string;
  readonly key: string;
  /** The folder in which the claim was recognised, path below the root. */
  readonly folder: string;
  /** The same array as long as nothing changed. */
  readonly evidence: readonly RunEvidence[];
  /** Whether everything that is on disk has been read. */
  readonly isRead: boolean;
  /** false: the first reading goes on. */
  readonly wasRead: boolean;
  /** What could not be read, a sentence each. */
  readonly problems: readonly string[];
}

/** A reader doesn't know which of its files a person has to look at. */
const toNamed = (path: string, message: string): string =>
  message.includes(showPath(path)) ? message : `${showPath(path)}: ${message}`;

export class OpenClaim {
  readonly files = new Map<string, FileState>();
  readonly #problems = new Map<string, string>();
  readonly #reading: RunReading | null;
  #evidence: readonly RunEvidence[] = [];
  #isStale = true;
  #state: ClaimState | null = null;
  #wasRead = false;
  isClosed = false;

  constructor(
    readonly id: string,
    readonly reader: FormatReader,
    readonly claim: Claim,
    readonly folder: FolderNode,
    readonly context: ClaimContext,
  ) {
    let reading: RunReading | null = null;
    try {
      reading = reader.open(claim, folder);
    } catch (error) {
      this.#problems.set('', this.#toFault(folder.path, error));
    }
    this.#reading = reading;
  }

  /** The time of its newest file. A time of the future counts as now. */
  get newest(): number {
    const now = this.context.now();
    let newest = 0;
    for (const { watched } of this.files.values()) newest = Math.max(newest, Math.min(now, watched.modifiedAt));
    return newest;
  }

  get isRead(): boolean {
    return ![...this.files.values()].some((file) => file.isDirty && file.attempts === 0);
  }

  /** All was read, and nothing in it tells of a run. */
  get isEmpty(): boolean {
    const { isRead, evidence, problems } = this.state();
    return isRead && evidence.length === 0 && problems.length === 0;
  }

  /** Whether the beginning of it has been read. */
  get isBegun(): boolean {
    for (const { version, attempts } of this.files.values()) if (version !== null || attempts > 0) return true;
    return false;
  }

  /** Adds a file at the end of its order. */
  add(watched: WatchedFile, read: ReadMode): void {
    const isNew = { version: null, position: null, isDirty: true, attempts: 0, waitUntil: 0 };
    this.files.set(watched.path, { watched, read, ...isNew });
    this.#state = null;
  }

  /** The claim has this file no longer. */
  drop(path: string): void {
    const file = this.files.get(path);
    this.files.delete(path);
    if (file) this.#giveGone(file);
  }

  /** A file changed: it is read in the next turn. */
  mark(path: string): void {
    const file = this.files.get(path);
    if (!file) return;
    file.isDirty = true;
    file.attempts = 0;
    this.#state = null;
  }

  /** What waits is read in the next turn. */
  hurry(): void {
    for (const file of this.files.values()) {
      // What was given up is tried once more.
      if (this.#problems.has(file.watched.path)) file.isDirty = true;
      file.waitUntil = 0;
    }
  }

  /** The earliest time at which a file may be read; null: nothing is to read. */
  get dueAt(): number | null {
    let due: number | null = null;
    for (const file of this.files.values()) if (file.isDirty) due = Math.min(due ?? Infinity, file.waitUntil);
    return due;
  }

  /**
   * Reads the changed files in their order: of the first that is long only one chunk, for the next turn of this claim
   * goes on there. true: its evidence may have changed.
   */
  async readSome(): Promise<boolean> {
    let isChanged = false;
    for (const file of this.files.values()) {
      if (this.isClosed) return isChanged;
      if (!file.isDirty || performance.now() < file.waitUntil) continue;
      await this.context.slicer.pauseIfDue();
      const isMore = await this.#read(file);
      isChanged = true;
      if (isMore) break;
    }
    if (isChanged) {
      this.#isStale = true;
      this.#state = null;
    }
    return isChanged;
  }

  state(): ClaimState {
    if (this.#state) return this.#state;
    if (this.#isStale && this.#reading) {
      this.#isStale = false;
      try {
        this.#evidence = this.#reading.evidence();
        this.#problems.delete('\0evidence');
      } catch (error) {
        this.#problems.set('\0evidence', this.#toFault(this.folder.path, error));
      }
    }
    const { id, reader, claim, folder, isRead } = this;
    this.#wasRead ||= isRead;
    this.#state = {
      id,
      format: reader.format,
      label: reader.label,
      key: claim.key,
      folder: folder.path,
      evidence: this.#evidence,
      isRead,
      wasRead: this.#wasRead,
      problems: [...new Set(this.#problems.values())],
    };
    return this.#state;
  }

  #toFault(path: string, error: unknown): string {
    return `${showPath(path)} could not be understood as ${this.reader.label}: ${messageOf(error)}. Everything else is read; report this with the file, please.`;
  }

  /** true: more of it is there now. */
  async #read(file: FileState): Promise<boolean> {
    const { watched } = file;
    const { now, isThere } = this.context;
    const begin = performance.now();
    try {
      if (watched.version === null) throw new Gone(watched.path);
      const isFirst = file.version === null;
      const isMore = await this.#give(file);
      file.version = watched.version;
      file.isDirty = isMore;
      file.attempts = 0;
      file.waitUntil = 0;
      this.#problems.delete(watched.path);
      // A tail grows, which its size shows.
      if (file.read.mode !== 'stat' && file.read.mode !== 'tail' && Math.abs(now() - watched.modifiedAt) < FRESH_MS)
        watched.isFresh = true;
      const duration = performance.now() - begin;
      // The first reading of a database also compiles sql.js.
      if (duration > COSTLY_MS && !isMore && !isFirst)
        file.waitUntil = performance.now() + Math.min(MAX_REST_MS, duration * READING_REST);
      return isMore;
    } catch (error) {
      if (error instanceof Gone) {
        if (!(await isThere())) return false;
        file.isDirty = false;
        this.#giveGone(file);
        return false;
      }
      if (isSilent(this.context.root, error)) file.waitUntil = performance.now() + SILENT_REST_MS;
      else this.#fail(file, error);
      return false;
    }
  }

  #fail(file: FileState, error: unknown): void {
    const { path } = file.watched;
    file.attempts += 1;
    file.isDirty = file.attempts < ATTEMPTS;
    file.waitUntil = performance.now() + 1000 * 2 ** (file.attempts - 1);
    if (error instanceof Unreadable) this.#problems.set(path, toNamed(path, error.message));
    else if (error instanceof Silence || (error instanceof Error && 'syscall' in error))
      this.#problems.set(path, toSentence(path, error));
    else {
      // A fault of the reader: the same bytes would fail again.
      file.isDirty = false;
      this.#problems.set(path, this.#toFault(path, error));
    }
  }

  #giveGone(file: FileState): void {
    const { path, modifiedAt } = file.watched;
    this.#problems.delete(path);
    this.#problems.delete(`\0skipped ${path}`);
    this.#isStale = true;
    this.#state = null;
    if (file.version === null && file.position === null) return;
    file.version = null;
    file.position = null;
    try {
      this.#take({ kind: 'gone', path, modifiedAt, bytes: 0 });
    } catch (error) {
      this.#problems.set(path, this.#toFault(path, error));
    }
  }

  /** true: it has not taken all. */
  #take(change: FileChange): boolean {
    return this.#reading?.take(change) === true;
  }

  /** Reads a file and gives it to the reading. true: more of it is there now. */
  async #give(file: FileState): Promise<boolean> {
    const { watched, read } = file;
    const { path } = watched;
    const { root, toRoom } = this.context;
    const about = { path, modifiedAt: watched.modifiedAt, bytes: watched.bytes };
    if (read.mode === 'stat') {
      this.#take({ kind: 'stat', ...about });
      return false;
    }
    if (read.mode === 'database') {
      return openDatabase(root, path, (database) => this.#take({ kind: 'database', ...about, database }));
    }
    if (read.mode !== 'tail') {
      const content = await withFile(root, path, (open) =>
        read.mode === 'whole'
          ? readWhole(open, path)
          : readAt(open, 0, Math.min(read.bytes, open.stats.size, MAX_HEAD_BYTES)),
      );
      this.#take({ kind: read.mode, ...about, content });
      return false;
    }
    const chunk = await withFile(root, path, (open) =>
      readTail(open, file.position, { from: read.from ?? 'start', toRoom }),
    );
    const { content, isFromStart, skippedBytes } = chunk;
    if (isFromStart) this.#noteSkipped(path, skippedBytes);
    if (content.length > 0 || isFromStart) this.#take({ kind: 'tail', ...about, content, isFromStart, skippedBytes });
    // Only now: the same bytes are given again if the reading could not take them.
    file.position = chunk.next;
    return chunk.isMore;
  }

  #noteSkipped(path: string, bytes: number): void {
    const key = `\0skipped ${path}`;
    if (bytes === 0) this.#problems.delete(key);
    else
      this.#problems.set(
        key,
        `${showPath(path)} is long: its first ${toMebibytes(bytes)} are not read, and what they say is not shown.`,
      );
  }
}
