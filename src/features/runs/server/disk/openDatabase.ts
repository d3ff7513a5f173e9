// A database for queries: a small one as a copy in memory, a large one page by page.
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { messageOf } from '#features/runs/server/errorText.ts';
import { MAX_DATABASE_ROWS, Unreadable, type DatabaseRow, type DatabaseView } from '#features/runs/server/reader.ts';
import { Changed, DatabasePages, hasPagesAtOnce, withPages } from './databasePages.ts';
import { showPath, toAbsolute, type SafeRoot } from './safeFile.ts';
import { readDatabase } from './databaseImage.ts';

// Opens a SQLite database for SELECTs. sql.js runs SQLite in WebAssembly, on a copy in memory or on the pages of the file.

/** A WebAssembly memory never shrinks, so a large database gets one of its own, which goes with it. */
const LARGE_BYTES = 32 * 2 ** 20;

let compiled: Promise<WebAssembly.Module> | null = null;
let shared: Promise<SqlJsStatic> | null = null;

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm')));
}

async function start(): Promise<SqlJsStatic> {
  compiled ??= compile();
  const module = await compiled;
  return initSqlJs({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
}

const engineFor = (bytes: number): Promise<SqlJsStatic> => {
  if (bytes > LARGE_BYTES) return start();
  shared ??= start();
  return shared;
};

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

/**
 * Gives `use` a database, and closes it afterwards. Throws Unreadable if the image is damaged, and what `use` throws.
 */
export async function withDatabase<Value>(
  image: Uint8Array | DatabasePages,
  path: string,
  use: (view: DatabaseView) => Value,
): Promise<Value> {
  const pages = image instanceof DatabasePages ? image : null;
  const { Database } = await engineFor(image instanceof DatabasePages ? 0 : image.length);
  let database: Database | null = null;
  try {
    try {
      database = new Database(image instanceof DatabasePages ? image.toFile() : image);
      database.run('pragma trusted_schema = 0');
      dropCode(database);
      database.run('pragma query_only = 1');
    } catch (error) {
      pages?.check();
      throw new Unreadable(`${showPath(path)} is damaged: ${messageOf(error)}.`);
    }
    const opened = database;
    const query: typeof select = (...about) => {
      try {
        return select(...about);
      } finally {
        // Rows, or the failure to read them, of a file that is another one now.
        pages?.check();
      }
    };
    return use({
      columns: (table) =>
        query(opened, 'select name from pragma_table_info(?)', [table], 10_000).map(({ name }) => String(name)),
      rows: (sql, parameters = [], limit = MAX_DATABASE_ROWS) => query(opened, sql, parameters, limit),
    });
  } finally {
    database?.close();
  }
}

/** The largest database that is copied as a whole: a copy needs no second look at the file. */
const MAX_COPIED_BYTES = 16 * 2 ** 20;
/** How often a database is read again at once that is written to under the reading. */
const ATTEMPTS = 4;

/** Gives `use` the database, maybe several times: a query throws where the database is written to. Throws Gone and Unreadable. */
export async function openDatabase<Value>(
  root: SafeRoot,
  file: { readonly path: string; readonly bytes: number },
  use: (view: DatabaseView) => Value,
  maximum = MAX_COPIED_BYTES,
): Promise<Value> {
  const { path, bytes } = file;
  if (bytes <= maximum || !hasPagesAtOnce(root, toAbsolute(root, path)))
    return withDatabase(await readDatabase(root, path), path, use);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withPages(root, path, (pages) => withDatabase(pages, path, use));
    } catch (error) {
      if (!(error instanceof Changed) || attempt === ATTEMPTS) throw error;
    }
  }
}
