// What the doctor looks at in the data folder and in the database. Nothing is made there; an embedded database is opened
// only while no studio uses it.
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toReason, type Database } from '#service/database/database.ts';
import { readDatabaseSizes } from '#service/database/disk/databaseSizes.ts';
import { MIB, toMebibytes } from '#service/database/disk/freeDisk.ts';
import { findHolder, lockFolder } from '#service/database/folderLock.ts';
import { checkVersion, readMigrations } from '#service/database/migrate.ts';
import { noDatabase, openEmbedded } from '#service/database/openEmbedded.ts';
import { openPostgres, toPublicAddress } from '#service/database/openPostgres.ts';
import { StartError } from '#service/database/startError.ts';
import { SCHEMA } from '#service/database/tables.ts';
import { isObject } from '#core/contract/readJson.ts';
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

/** How the tables are. Throws StartError for those of a newer version, and what the database throws. */
export async function describeTables({ executeSql }: Pick<Database, 'executeSql'>): Promise<string> {
  const known = await readMigrations();
  const { rows: facts } = await executeSql(
    `select current_setting('server_version_num')::int as version, to_regclass('${SCHEMA}.migrations') is not null as is_there`,
  );
  const isThere = isObject(facts[0]) && facts[0]['is_there'] === true;
  const { rows } = isThere
    ? await executeSql(`select coalesce(max(number), 0) as newest from ${SCHEMA}.migrations`)
    : { rows: [] };
  const newest = toNumber(rows[0], 'newest');
  checkVersion(newest, known);
  const last = known.at(-1)?.number ?? 0;
  const state =
    newest === 0
      ? 'the first start makes its tables'
      : newest < last
        ? `the next start brings its tables from version ${newest} to ${last}`
        : `its tables are at version ${newest}`;
  return `answers (PostgreSQL ${Math.floor(toNumber(facts[0], 'version') / 10_000)}); ${state}.`;
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
  try {
    const text = `${place} ${await describeTables(database)} ${await describeSizes(database)}`;
    return { name: 'Database', state: 'ok', text };
  } finally {
    await database.close();
  }
}

async function checkEmbedded(dataDir: string, onWait: (text: string) => void): Promise<Check> {
  const name = 'Database';
  const folder = join(dataDir, 'database');
  const isThere = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);
  if (!(await isThere(folder))) return { name, state: 'ok', text: 'There is none yet; the first start makes it.' };
  const holder = await findHolder(dataDir);
  if (holder !== null)
    return { name, state: 'note', text: `A studio (process ${holder}) uses ${folder}, so it was not opened.` };
  if (await isThere(join(dataDir, 'database.incomplete')))
    return { name, state: 'note', text: `${folder} was not finished; the next start makes it anew.` };
  // An open makes a database in an empty folder.
  if (!(await isThere(join(folder, 'PG_VERSION')))) throw noDatabase(folder);
  const unlock = await lockFolder(dataDir, { onWarning: onWait });
  try {
    return await judge(await openEmbedded(dataDir), `The embedded database in ${folder}`);
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
    if (databaseUrl === null) return await checkEmbedded(dataDir, onWait);
    const database = await openPostgres(databaseUrl, () => undefined);
    return await judge(database, `PostgreSQL at ${toPublicAddress(databaseUrl)}`);
  } catch (error) {
    const text = error instanceof StartError ? error.message : `The database can't be read (${toReason(error)}).`;
    return { name: 'Database', state: 'problem', text };
  }
}
