// Opens a SQLite database for SELECTs. sql.js runs SQLite in WebAssembly, on the pages that `databasePages.ts` gives it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { messageOf } from '#features/runs/server/errorText.ts';
import { MAX_DATABASE_ROWS, Unreadable, type DatabaseRow, type DatabaseView } from '#features/runs/server/reader.ts';
import { Changed, withPages, type DatabasePages } from './databasePages.ts';
import { showPath, type SafeRoot } from './safeFile.ts';

let engine: Promise<SqlJsStatic> | null = null;

async function start(): Promise<SqlJsStatic> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
  return initSqlJs({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) as ArrayBuffer });
}

/** Integers beyond 2^53 lose digits: `cast(x as text)` keeps them. */
function select(database: Database, sql: string, parameters: readonly (string | number | null)[], limit: number) {
  if (!/^\s*(select|with)\b/i.test(sql)) throw new Error(`Only SELECT may be run on a database of a run: ${sql}`);
  const statement = database.prepare(sql, [...parameters]);
  try {
    const rows: DatabaseRow[] = [];
    const names = statement.getColumnNames();
    while (rows.length < limit && statement.step()) {
      const values = statement.get();
      rows.push(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
    }
    return rows;
  } finally {
    statement.free();
  }
}

/** Views and triggers are code of the file's writer, which could keep a query busy for ever: they are left out. */
function dropCode(database: Database): void {
  const found = select(database, "select type, name from sqlite_schema where type in ('view', 'trigger')", [], 10_000);
  for (const { type, name } of found) {
    if (typeof name === 'string') database.run(`drop ${String(type)} if exists "${name.replaceAll('"', '""')}"`);
  }
}

async function query<Value>(pages: DatabasePages, path: string, use: (view: DatabaseView) => Value): Promise<Value> {
  const { Database } = await (engine ??= start());
  let database: Database | null = null;
  try {
    try {
      database = new Database(pages.toFile());
      database.run('pragma trusted_schema = 0');
      dropCode(database);
      database.run('pragma query_only = 1');
    } catch (error) {
      pages.check();
      throw new Unreadable(`${showPath(path)} is damaged: ${messageOf(error)}.`);
    }
    const opened = database;
    const ask: typeof select = (...about) => {
      try {
        return select(...about);
      } finally {
        // Rows, or the failure to read them, of a file that is another one now.
        pages.check();
      }
    };
    return use({
      columns: (table) =>
        ask(opened, 'select name from pragma_table_info(?)', [table], 10_000).map(({ name }) => String(name)),
      rows: (sql, parameters = [], limit = MAX_DATABASE_ROWS) => ask(opened, sql, parameters, limit),
    });
  } finally {
    database?.close();
  }
}

/** The largest database that is read whole. */
const MOST_COPIED = 16 * 2 ** 20;
/** How often a database is read again at once that is written to under the reading. */
const ATTEMPTS = 4;

/**
 * Gives `use` the database, maybe several times: a query throws where the database is written to. Throws Gone, Unreadable, and
 * what `use` throws.
 */
export async function openDatabase<Value>(
  root: SafeRoot,
  path: string,
  use: (view: DatabaseView) => Value,
  mostCopied = MOST_COPIED,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withPages(root, path, mostCopied, (pages) => query(pages, path, use));
    } catch (error) {
      if (!(error instanceof Changed) || attempt === ATTEMPTS) throw error;
    }
  }
}
