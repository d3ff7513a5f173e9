// What the doctor looks at in the data folder and in the database. Nothing is made there; an embedded database is opened
// only while no studio uses it.
import { access, constants, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toReason, type Database } from '#service/database/database.ts';
import { readDatabaseSizes } from '#service/database/disk/databaseSizes.ts';
import { MIB, toMebibytes } from '#service/database/disk/freeDisk.ts';
import { findHolder, lockFolder } from '#service/database/folderLock.ts';
import { readMigrations } from '#service/database/migrate.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openPostgres, toPublicAddress } from '#service/database/openPostgres.ts';
import { StartError } from '#service/database/startError.ts';
import { SCHEMA } from '#service/database/tables.ts';
import { isObject } from '#core/contract/reading.ts';
import type { Check } from './check.ts';

const mayWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

const ADVICE = 'Choose another folder with --data, or correct its permissions.';

export async function checkDataFolder(dataDir: string): Promise<Check> {
  const name = 'Data folder';
  const problem = (text: string): Check => ({ name, state: 'problem', text });
  for (let folder = dataDir; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found && !found.isDirectory())
      return problem(`${folder} is a file, not a folder. Choose another folder with --data, or move the file away.`);
    if (found) {
      if (!(await mayWrite(folder))) return problem(`${folder} can't be written by this user. ${ADVICE}`);
      if (folder !== dataDir) return { name, state: 'ok', text: `${dataDir} will be made at the first start.` };
      break;
    }
    if (dirname(folder) === folder) return problem(`${dataDir} can't be made. ${ADVICE}`);
  }
  const holder = await findHolder(dataDir);
  return holder === null
    ? { name, state: 'ok', text: `${dataDir} can be read and written.` }
    : { name, state: 'note', text: `${dataDir} is in use by a studio (process ${holder}).` };
}

const toNumber = (row: unknown, column: string): number => Number(isObject(row) ? row[column] : 0);

/** Whether this version can use the tables. Throws what the database throws. */
export async function judgeTables(database: Pick<Database, 'executeSql'>, place: string): Promise<Check> {
  const name = 'Database';
  const known = Math.max(0, ...(await readMigrations()).map(({ number }) => number));
  const { rows: versions } = await database.executeSql("select current_setting('server_version_num')::int as version");
  const postgres = Math.floor(toNumber(versions[0], 'version') / 10_000);
  const { rows: tables } = await database.executeSql(
    `select to_regclass('${SCHEMA}.migrations') is not null as is_there`,
  );
  const isThere = isObject(tables[0]) && tables[0]['is_there'] === true;
  const { rows } = isThere
    ? await database.executeSql(`select coalesce(max(number), 0) as newest from ${SCHEMA}.migrations`)
    : { rows: [] };
  const newest = toNumber(rows[0], 'newest');
  if (newest > known) {
    const text =
      `${place} was written by a newer Model Studio (its tables are at version ${newest}, this one knows up to ` +
      `${known}). Update Model Studio, or choose another folder with --data (another DATABASE_URL).`;
    return { name, state: 'problem', text };
  }
  const state =
    newest === 0
      ? 'the first start makes its tables'
      : newest < known
        ? `the next start brings its tables from version ${newest} to ${known}`
        : `its tables are at version ${newest}`;
  return { name, state: 'ok', text: `${place} answers (PostgreSQL ${postgres}); ${state}.` };
}

/** `It takes 44 MiB and its log 17 MiB; 3 MiB of it are left by removed rows.` */
async function describeSizes(database: Database): Promise<string> {
  const { bytes, logBytes, unusedBytes } = await readDatabaseSizes(database);
  const log = logBytes === null ? '' : ` and its log ${toMebibytes(logBytes)}`;
  const unused =
    unusedBytes < MIB ? '' : `; ${toMebibytes(unusedBytes)} of it were left by removed rows, for later ones`;
  return `It takes ${toMebibytes(bytes)}${log}${unused}.`;
}

async function judge(database: Database, place: string): Promise<Check> {
  const check = await judgeTables(database, place);
  return { ...check, text: `${check.text} ${await describeSizes(database)}` };
}

async function checkPostgres(databaseUrl: string): Promise<Check> {
  const database = await openPostgres(databaseUrl, () => undefined);
  try {
    return await judge(database, `PostgreSQL at ${toPublicAddress(databaseUrl)}`);
  } finally {
    await database.close();
  }
}

/** Bytes of the files in a folder, some of which may go meanwhile. */
async function measure(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function checkEmbedded(dataDir: string, onWait: (text: string) => void): Promise<Check> {
  const name = 'Database';
  const folder = join(dataDir, 'database');
  if (!(await stat(folder).catch(() => null)))
    return { name, state: 'ok', text: 'There is none yet; the first start makes it.' };
  const holder = await findHolder(dataDir);
  if (holder !== null) {
    const [all, log] = await Promise.all([measure(folder), measure(join(folder, 'pg_wal'))]);
    const sizes = `It takes ${toMebibytes(all - log)} and its log ${toMebibytes(log)}.`;
    return { name, state: 'note', text: `A studio (process ${holder}) uses ${folder}, so it was not opened. ${sizes}` };
  }
  const isWhole = await stat(join(folder, 'PG_VERSION')).catch(() => null);
  const isUnfinished = await stat(join(dataDir, 'database.incomplete')).catch(() => null);
  if (isUnfinished) return { name, state: 'note', text: `${folder} was not finished; the next start makes it anew.` };
  if (!isWhole) {
    const text =
      `${folder} holds no database (PG_VERSION is missing). Restore it from a backup, or move it away to start with ` +
      'a new one.';
    return { name, state: 'problem', text };
  }
  const unlock = await lockFolder(dataDir, { onWarning: onWait });
  try {
    const database = await openEmbedded(dataDir);
    try {
      return await judge(database, `The embedded database in ${folder}`);
    } finally {
      await database.close();
    }
  } finally {
    await unlock();
  }
}

/** `onWait` gets a line when this takes long. */
export async function checkDatabase(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | null },
  onWait: (text: string) => void,
): Promise<Check> {
  try {
    return databaseUrl === null ? await checkEmbedded(dataDir, onWait) : await checkPostgres(databaseUrl);
  } catch (error) {
    const text = error instanceof StartError ? error.message : `The database can't be read (${toReason(error)}).`;
    return { name: 'Database', state: 'problem', text };
  }
}
