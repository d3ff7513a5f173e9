// For tests: SQLite databases of trackers in memory, seen as the service shows them.
import initSqlJs, { type Database } from 'sql.js';
import type { DatabaseView } from '#features/runs/server/reader.ts';

type Value = string | number | Uint8Array | null;

/** A database that a tool is still writing to. */
export class ToolDatabase implements DatabaseView {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  run(sql: string, values: readonly Value[] = []): void {
    this.#database.run(sql, [...values]);
  }

  columns(table: string): readonly string[] {
    return this.rows('SELECT name FROM pragma_table_info(?)', [table]).map(({ name }) => String(name));
  }

  rows(sql: string, parameters: readonly (string | number | null)[] = [], limit = 1_000_000) {
    const statement = this.#database.prepare(sql, [...parameters]);
    const rows: Record<string, Value>[] = [];
    while (rows.length < limit && statement.step()) rows.push(statement.getAsObject());
    statement.free();
    return rows;
  }
}

/** A new database with these tables. */
export async function makeDatabase(schema: string): Promise<ToolDatabase> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(schema);
  return new ToolDatabase(database);
}

/** JSON as bytes, as orjson gives it to SQLite. */
export const toBlob = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
