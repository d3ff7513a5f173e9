// The interface of the studio's PostgreSQL, embedded or remote.
import { DrizzleQueryError } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { isObject } from '#core/contract/readJson.ts';

/** drizzle's typed queries; a transaction has the same type. */
export type Orm = PgDatabase<PgQueryResultHKT>;

export interface Database {
  readonly orm: Orm;
  /** True when other processes may use the same database at the same time. */
  readonly isShared: boolean;
  /**
   * Runs queries for a caller who waits at most `limitMs` (4 s when not given). Throws DatabaseUnavailable when the
   * database can't answer now; a query that has begun may still finish.
   */
  guard<T>(run: () => Promise<T>, limitMs?: number): Promise<T>;
  /** Raw SQL with `$1` parameters; several statements are allowed when there are no values. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: readonly unknown[] }>;
  /**
   * Only the embedded database: `copy ... from` and `copy ... to` in binary form. Bytes pass through it many times as quickly
   * as through parameters and results.
   */
  readonly copy?: {
    in(statement: string, parts: readonly Uint8Array[]): Promise<void>;
    out(statement: string): Promise<Buffer>;
  };
  /** Only the embedded database, as a server does it by itself: gives the space of removed rows back now. */
  readonly tidy?: () => Promise<void>;
  /** Only the embedded database: throws DiskFull unless its disk has room for so many bytes beside what it needs itself. */
  readonly checkRoom?: (bytes?: number) => void;
  /** Only the embedded database: gives back what an older version left of removed rows. May take seconds. */
  readonly tidyRows?: () => Promise<void>;
  /** Runs a script of several statements: all of them or none. */
  applyScript(script: string): Promise<void>;
  /** Runs `run` while no other process that shares the database does. */
  exclusively<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Call when the shutdown begins. From then on, connections to a server that is silent for a second are closed: their
   * queries fail, and the shutdown goes on.
   */
  limitSilence(): void;
  close(): Promise<void>;
}

/** Error numbers of the embedded database (WASI's) for trouble with the data folder. */
const FILE_ERRORS: Readonly<Record<number, string>> = {
  2: 'permission denied',
  19: 'the disk quota is used up',
  29: 'the disk failed to read or write',
  33: 'too many open files',
  51: 'no space is left on the disk',
  63: 'operation not permitted',
  69: 'the file system is read-only',
};

/** The embedded database throws values that aren't Errors when a file operation fails. */
function toThrownReason(thrown: unknown): string {
  if (!isObject(thrown)) return String(thrown);
  const { name, message, errno } = thrown;
  const known = typeof errno === 'number' ? FILE_ERRORS[errno] : undefined;
  if (known !== undefined) return known;
  const isWords = (text: unknown): text is string => typeof text === 'string' && text !== '';
  const words = [message, name].find(isWords) ?? 'an unknown failure';
  return typeof errno === 'number' ? `${words} ${errno}` : words;
}

/** Any failure as one line of words. For a failed query that is its cause, without the SQL and its values. */
export function toReason(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return toReason(error.cause);
  if (!(error instanceof Error)) return toThrownReason(error).replaceAll(/\s+/g, ' ');
  const { code } = error as Error & { readonly code?: unknown };
  // A refused connection to several addresses is an AggregateError with an empty message.
  const words = error.message || (typeof code === 'string' ? code : error.name);
  return words.replaceAll(/\s+/g, ' ');
}
