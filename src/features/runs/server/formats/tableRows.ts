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

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Those of the columns that the table has: older and newer versions of a tool have others. */
function listColumns(database: DatabaseView, table: string, wanted: readonly string[]): string {
  const present = new Set(database.columns(table));
  return wanted
    .filter((column) => present.has(column))
    .map(quote)
    .join(', ');
}

/** The newest rows of a table first; null: the table has not all that is needed. */
export function readRows(
  database: DatabaseView,
  table: string,
  columns: { readonly needed: readonly string[]; readonly more?: readonly string[] },
  most: number,
): readonly DatabaseRow[] | null {
  const present = database.columns(table);
  if (!columns.needed.every((column) => present.includes(column))) return null;
  const list = listColumns(database, table, [...columns.needed, ...(columns.more ?? [])]);
  return database.rows(`SELECT ${list} FROM ${quote(table)} ORDER BY rowid DESC LIMIT ${most}`, [], most);
}

/** The value of a run, made for the first row of it. */
export function valueOf<Value>(all: Map<string, Value>, run: string, make: () => Value): Value {
  const found = all.get(run) ?? make();
  all.set(run, found);
  return found;
}

interface TailOptions {
  /** Rows may be deleted from its middle, so all are counted at each look. */
  readonly isCounted?: boolean;
  /** So many of the newest rows are read again: they are filled in later. */
  readonly rereads?: number;
}

/** What was read of a table that only grows. */
export class TableTail {
  readonly #table: string;
  readonly #columns: readonly string[];
  readonly #isCounted: boolean;
  readonly #rereads: number;
  #last = 0;
  #count = 0;
  #lastRow = '';

  constructor(table: string, columns: readonly string[], { isCounted = true, rereads = 0 }: TailOptions = {}) {
    this.#table = table;
    this.#columns = columns;
    this.#isCounted = isCounted;
    this.#rereads = rereads;
  }

  /** Whether rows that were read are gone: what they said has to be read again. */
  hasLost(database: DatabaseView): boolean {
    if (this.#count === 0) return false;
    if (this.#isCounted) {
      const sql = `SELECT count(*) AS found FROM ${quote(this.#table)} WHERE rowid <= ?`;
      return cellNumber(database.rows(sql, [this.#last], 1)[0]?.['found']) !== this.#count;
    }
    const [found] = database.rows(this.#toSql(database, 1), [this.#last - 1], 1);
    return !found || toRowText(found) !== this.#lastRow;
  }

  /** Calls back for each row after the last one, in the order of the row ids. true: there are more. */
  read(database: DatabaseView, take: (row: DatabaseRow) => void): boolean {
    if (listColumns(database, this.#table, this.#columns) === '') return false;
    const sql = this.#toSql(database, PAGE);
    let newest: DatabaseRow | null = null;
    let from = Math.max(0, this.#last - this.#rereads);
    try {
      for (let read = 0; read < MAX_NEW; read += PAGE) {
        const rows = database.rows(sql, [from], PAGE);
        for (const row of rows) {
          from = cellNumber(row['row_number']) ?? from;
          if (from > this.#last) {
            this.#count += 1;
            // Now: the next query may throw.
            this.#last = from;
            newest = row;
          }
          take(row);
        }
        if (rows.length < PAGE) return false;
      }
      return true;
    } finally {
      if (newest) this.#lastRow = toRowText(newest);
    }
  }

  reset(): void {
    this.#last = 0;
    this.#count = 0;
    this.#lastRow = '';
  }

  #toSql(database: DatabaseView, most: number): string {
    const list = listColumns(database, this.#table, this.#columns);
    return `SELECT rowid AS row_number, ${list} FROM ${quote(this.#table)} WHERE rowid > ? ORDER BY rowid LIMIT ${most}`;
  }
}

const toRowText = (row: DatabaseRow): string =>
  JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
