// Rows of a SQLite table: values as plain types, and only what was added since the last look.
import type { DatabaseRow, DatabaseView } from '#features/runs/server/reader.ts';

const PAGE = 20_000;
/** Most new rows of one look; the next look brings the rest. */
const MAX_NEW = 200_000;

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

/** Calls back for each row after `last`, in the order of the row ids. true: there are more. */
export function readNewRows(
  database: DatabaseView,
  table: string,
  columns: readonly string[],
  last: number,
  take: (row: DatabaseRow, id: number) => void,
  most = MAX_NEW,
  page = PAGE,
): boolean {
  if (columns.length === 0) return false;
  const sql = `SELECT rowid AS row_number, ${columns.map(quote).join(', ')} FROM ${quote(table)} WHERE rowid > ? ORDER BY rowid LIMIT ${page}`;
  let newest = last;
  for (let read = 0; read < most; read += page) {
    const rows = database.rows(sql, [newest], page);
    for (const row of rows) {
      newest = cellNumber(row['row_number']) ?? newest;
      take(row, newest);
    }
    if (rows.length < page) return false;
  }
  return true;
}

/** What was read of a table that only grows. */
export class TableTail {
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #isCounted: boolean;
  #last = 0;
  #count = 0;
  #lastRow = '';

  /** `isCounted`: rows may be deleted from its middle, so all are counted at each look. */
  constructor(table: string, columns: readonly string[], { isCounted = true } = {}) {
    this.#table = table;
    this.#columns = columns;
    this.#isCounted = isCounted;
  }

  /** Whether rows that were read are gone: what they said has to be read again. */
  hasLost(database: DatabaseView): boolean {
    if (this.#count === 0) return false;
    if (this.#isCounted) return countRowsUpTo(database, this.#table, this.#last) !== this.#count;
    const columns = presentColumns(database, this.#table, this.#columns);
    let found = '';
    readNewRows(database, this.#table, columns, this.#last - 1, (row) => (found ||= toRowText(row)), 1, 1);
    return found !== this.#lastRow;
  }

  /** true: there are more. */
  read(database: DatabaseView, take: (row: DatabaseRow) => void): boolean {
    const columns = presentColumns(database, this.#table, this.#columns);
    let last: DatabaseRow | null = null;
    try {
      return readNewRows(database, this.#table, columns, this.#last, (row, id) => {
        this.#count += 1;
        // Now: the next query may throw.
        this.#last = id;
        last = row;
        take(row);
      });
    } finally {
      if (last) this.#lastRow = toRowText(last);
    }
  }

  reset(): void {
    this.#last = 0;
    this.#count = 0;
    this.#lastRow = '';
  }
}

const toRowText = (row: DatabaseRow): string =>
  JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** How many rows there are up to a row id. Fewer than were read: some were deleted. */
export function countRowsUpTo(database: DatabaseView, table: string, last: number): number {
  const [row] = database.rows(`SELECT count(*) AS found FROM ${quote(table)} WHERE rowid <= ?`, [last], 1);
  return cellNumber(row?.['found']) ?? 0;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
