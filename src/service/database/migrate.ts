// Brings a database to this version's tables with numbered SQL files. Each is applied once and as a whole.
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';
import { StartError } from './startError.ts';
import { SCHEMA } from './tables.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const NAME = /^(\d{4})_\w+\.sql$/;

const migrations = pgSchema(SCHEMA).table('migrations', {
  number: integer().primaryKey(),
  name: text().notNull(),
  applied_at: timestamp({ withTimezone: true }).notNull(),
});

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly script: string;
}

/** The migrations that come with this version, in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => NAME.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      number: Number(NAME.exec(name)?.[1]),
      name,
      script: await readFile(new URL(name, FOLDER), 'utf8'),
    })),
  );
}

/** Throws StartError for tables that a newer version has changed. */
export function checkVersion(newest: number, known: readonly Migration[]): void {
  const newestKnown = Math.max(0, ...known.map(({ number }) => number));
  if (newest > newestKnown)
    throw new StartError(
      `The database was written by a newer Model Studio (its tables are at version ${newest}, this one knows up ` +
        `to ${newestKnown}). Update Model Studio, or choose another folder with --data (another DATABASE_URL).`,
    );
}

/** Applies the missing migrations. Throws StartError when a newer version has already changed the database. */
export async function migrate(database: Database, known: readonly Migration[]): Promise<void> {
  await database.orm.execute(sql.raw(`create schema if not exists ${SCHEMA}`));
  await database.orm.execute(
    sql.raw(
      `create table if not exists ${SCHEMA}.migrations (
        number integer primary key, name text not null, applied_at timestamptz not null default now())`,
    ),
  );
  const applied = await database.orm.select({ number: migrations.number }).from(migrations);
  checkVersion(Math.max(0, ...applied.map((row) => row.number)), known);
  const done = new Set(applied.map((row) => row.number));
  for (const { number, name, script } of known) {
    if (done.has(number)) continue;
    // The record of a migration belongs to its own transaction. Names hold only word characters (NAME).
    await database.applyScript(
      `${script}\ninsert into ${SCHEMA}.migrations (number, name) values (${number}, '${name}');`,
    );
  }
}
