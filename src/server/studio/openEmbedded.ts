// The embedded database: PGlite in a folder.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { toReason, type Database } from './database.ts';
import { StartError } from './studio.ts';

/** This file exists while the database is being made: until it is removed, the database holds no records. */
const MARKER = 'database.incomplete';

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Prepares the folder; true for a new database. Deletes one that an earlier first start left unfinished. */
async function prepareFolder(dataDir: string, folder: string): Promise<boolean> {
  const marker = join(dataDir, MARKER);
  if (await exists(marker)) await rm(folder, { recursive: true, force: true });
  const files = await readdir(folder).catch((): string[] => []);
  if (files.length > 0 && !files.includes('PG_VERSION')) {
    throw new StartError(
      `The folder ${folder} is not empty and holds no database (PG_VERSION is missing). Restore it from a ` +
        'backup, or move it away to start with a new one. Nothing was deleted.',
    );
  }
  if (files.length > 0) return false;
  await writeFile(marker, '');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return true;
}

/**
 * V8 compiles functions of WebAssembly again, and better, once they have run for so many bytes: 33 times its own value. A
 * start calls much and little of it often, so that this took a quarter of its processor time.
 */
const TIERING_BUDGET = 60_000_000;

async function openClient(folder: string, isNew: boolean): Promise<PGlite> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  try {
    return await PGlite.create(folder);
  } catch (error) {
    const reason = toReason(error);
    throw new StartError(
      isNew
        ? `A new database could not be made in ${folder} (${reason}). Check free space and permissions, or choose ` +
            'another folder with --data.'
        : `The database in ${folder} can't be opened (${reason}). It is damaged, or another version of PostgreSQL ` +
            'wrote it. Restore it from a backup, or move it away to start with a new one. Nothing was deleted.',
      { cause: error },
    );
  }
}

/**
 * Opens `<dataDir>/database` and makes it when it is missing. The caller holds the folder's lock.
 * Throws StartError for a database that can't be opened, and leaves it unchanged.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const folder = join(dataDir, 'database');
  const isNew = await prepareFolder(dataDir, folder);
  const client = await openClient(folder, isNew);
  if (isNew) await rm(join(dataDir, MARKER), { force: true });
  return {
    orm: drizzle(client),
    isShared: false,
    async executeSql(text, values = []) {
      if (values.length > 0) return client.query(text, [...values]);
      const results = await client.exec(text);
      return { rows: results.at(-1)?.rows ?? [] };
    },
    copy: {
      async in(statement, parts) {
        await client.query(`copy ${statement} from '/dev/blob' with (format binary)`, [], {
          blob: new Blob(parts as Uint8Array<ArrayBuffer>[]),
        });
      },
      async out(statement) {
        const { blob } = await client.query(`copy (${statement}) to '/dev/blob' with (format binary)`);
        return Buffer.from(blob ? await blob.arrayBuffer() : new ArrayBuffer(0));
      },
    },
    async applyScript(script) {
      await client.transaction(async (transaction) => {
        await transaction.exec(script);
      });
    },
    guard: (run) => run(),
    exclusively: (run) => run(),
    limitSilence: () => undefined,
    close: () => client.close(),
  };
}
