// Rows of a SQLite table: values as plain types, and only what was added since the last look.
import type { DatabaseRow, DatabaseView } from '#server/runs/reader.ts';

const PAGE = 20_000;
/** Most new rows of one look; the next change brings the rest. */
const MAX_NEW = 2_000_000;

export type Cell = DatabaseRow[string] | undefined;

const decoder = new TextDecoder();

/** Text, also where it was stored as bytes. null: nothing, or something else. */
export const cellText = (cell: Cell): string | null =>
  typeof cell === 'string' ? cell : cell instanceof Uint8Array ? decoder.decode(cell) : null;

export const cellNumber = (cell: Cell): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'bigint' ? Number(cell) : null;

/** Unix milliseconds of an ISO time. Python writes up to six digits of a second, and no zone for UTC. null: no time. */
export function cellTime(cell: Cell): number | null {
  const text = cellText(cell);
  if (text === null) return null;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone || !/\d:\d/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? null : time;
}

/** Those of the columns that the table has: older and newer versions of a tool have others. */
export function presentColumns(database: DatabaseView, table: string, wanted: readonly string[]): readonly string[] {
  const present = new Set(database.columns(table));
  return wanted.filter((column) => present.has(column));
}

/** Calls back for each row after `last`, in the order of the row ids, and returns the newest row id. */
export function readNewRows(
  database: DatabaseView,
  table: string,
  columns: readonly string[],
  last: number,
  take: (row: DatabaseRow, id: number) => void,
): number {
  if (columns.length === 0) return last;
  const sql = `SELECT rowid AS row_number, ${columns.map(quote).join(', ')} FROM ${quote(table)} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`;
  let newest = last;
  for (let read = 0; read < MAX_NEW; read += PAGE) {
    const rows = database.rows(sql, [newest], PAGE);
    for (const row of rows) {
      newest = cellNumber(row['row_number']) ?? newest;
      take(row, newest);
    }
    if (rows.length < PAGE) break;
  }
  return newest;
}

/** What was read of a table that only grows. */
export class TableTail {
  readonly #table: string;
  readonly #columns: readonly string[];
  #last = 0;
  #count = 0;

  constructor(table: string, columns: readonly string[]) {
    this.#table = table;
    this.#columns = columns;
  }

  /** Whether rows that were read are gone: what they said has to be read again. */
  hasLost(database: DatabaseView): boolean {
    return this.#count > 0 && countRowsUpTo(database, this.#table, this.#last) !== this.#count;
  }

  read(database: DatabaseView, take: (row: DatabaseRow) => void): void {
    const columns = presentColumns(database, this.#table, this.#columns);
    this.#last = readNewRows(database, this.#table, columns, this.#last, (row) => {
      this.#count += 1;
      take(row);
    });
  }

  reset(): void {
    this.#last = 0;
    this.#count = 0;
  }
}

/** How many rows there are up to a row id. Fewer than were read: some were deleted. */
export function countRowsUpTo(database: DatabaseView, table: string, last: number): number {
  const [row] = database.rows(`SELECT count(*) AS found FROM ${quote(table)} WHERE rowid <= ?`, [last], 1);
  return cellNumber(row?.['found']) ?? 0;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
