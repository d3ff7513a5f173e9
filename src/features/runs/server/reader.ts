// The interface of a format: it recognises its files in a folder, and turns what changed in them into evidence. Readers
// are pure: they get bytes and never open a file. `disk/` reads for them, bounded and only what is new.
import type { RunEvidence } from './evidence.ts';

export interface FileEntry {
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/**
 * One folder of a root. Links to files inside the root are in it as files. Links to folders are not: a folder inside the
 * root is listed at its own place. The view stays current: it is the same object after its listing changed.
 */
export interface FolderView {
  /** Path below the root with `/`; `''` is the root. */
  readonly path: string;
  /** null: it is the root. */
  readonly parent: FolderView | null;
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly folders: ReadonlyMap<string, FolderView>;
}

/**
 * How a file is read. `whole`: again after each change, up to MAX_WHOLE_BYTES. `tail`: only new bytes, in order; `from:
 * 'end'` is for logs: of a long one only the last MAX_LOG_BYTES are read first. `head`: the first `bytes`. `database`: a
 * SQLite file with its write-ahead log. `stat`: never opened, only its size and time.
 */
export type ReadMode =
  | { readonly mode: 'whole' }
  | { readonly mode: 'tail'; readonly from?: 'start' | 'end' }
  | { readonly mode: 'head'; readonly bytes: number }
  | { readonly mode: 'database' }
  | { readonly mode: 'stat' };

/** The largest file that is read whole. */
export const MAX_WHOLE_BYTES = 64 * 2 ** 20;

/** How much of a long log is read when it is first seen (`from: 'end'`). */
export const MAX_LOG_BYTES = 16 * 2 ** 20;

/** The most rows that one query of a database gives. */
export const MAX_DATABASE_ROWS = 1_000_000;

export interface WantedFile {
  /** Path below the root. */
  readonly path: string;
  readonly read: ReadMode;
}

/** A row of a SQLite table by column name. BLOBs are bytes. */
export type DatabaseRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/**
 * A SQLite database, its write-ahead log included. Only reads. Each answer is of one state. A query throws Unreadable if the
 * database is written to meanwhile: what was taken of earlier answers counts, and `take` is called again. Ends when it returns.
 */
export interface DatabaseView {
  /** Column names of a table; empty if there is no such table. */
  columns(table: string): readonly string[];
  /** Runs a SELECT with positional parameters. At most `limit` rows (MAX_DATABASE_ROWS by default). Throws on bad SQL. */
  rows(sql: string, parameters?: readonly (string | number | null)[], limit?: number): readonly DatabaseRow[];
}

export type FileChange = { readonly path: string; readonly modifiedAt: number; readonly bytes: number } & (
  | { readonly kind: 'whole'; readonly content: Uint8Array }
  /**
   * `isFromStart`: the file is new, was cut or replaced: forget what was read. `skippedBytes`: what a long log has
   * before `content` (only together with `isFromStart`); the first line is then a part of a line.
   */
  | {
      readonly kind: 'tail';
      readonly content: Uint8Array;
      readonly isFromStart: boolean;
      readonly skippedBytes?: number;
    }
  | { readonly kind: 'head'; readonly content: Uint8Array }
  | { readonly kind: 'database'; readonly database: DatabaseView }
  | { readonly kind: 'stat' }
  | { readonly kind: 'gone' }
);

/**
 * Reads the files of one claim, from the first byte to the last that was written. The first changes come in the order
 * of the claim's files. `content` may be a part of a larger buffer; that of a tail is written to again after the call.
 */
export interface RunReading {
  /**
   * Takes a change in. Throws Unreadable: the old value stays, and the file is read again after its next change (of a
   * tail: the same bytes again, with those that follow them). true: of a database, it has not taken all rows, and wants it
   * again.
   */
  take(change: FileChange): boolean | void;
  /** The state of all runs of this claim, cheap to call: curves are not copied. */
  evidence(): readonly RunEvidence[];
}

/**
 * The files in which a format found one run, or the source of many runs. When a listing changes and the same key has
 * other files, its reading goes on: new files are given to it, and files that left come as `gone`.
 */
export interface Claim {
  /** Stable for the same files, unique for the format: usually a path. */
  readonly key: string;
  readonly files: readonly WantedFile[];
}

export interface FormatReader {
  /** A short word: `hf-trainer`, `tensorboard`. */
  readonly format: string;
  /** The name of the tool for people. */
  readonly label: string;
  /**
   * What this format finds in a folder, without reading: from names, sizes and times, also of the folders below it.
   * Called for every folder of a root, and again after each change of a listing. Returns [] for nothing.
   */
  recognise(folder: FolderView): readonly Claim[];
  /** Begins to read a claim. */
  open(claim: Claim, folder: FolderView): RunReading;
}

/** A file that can't be read as it is now: damaged, or caught while it was written. The message is for people. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
