// Which files of a data folder this database has put there, so that they go once nothing needs them. What has no record is
// never removed: another database may use the same folder.
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray, notExists, or, sql } from 'drizzle-orm';
import { pgSchema, text, uuid } from 'drizzle-orm/pg-core';
import { EXPERIMENT_STATUSES, isActiveStatus } from '#core/contract/statuses.ts';
import { isUuid } from '#core/contract/uuid.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, models, SCHEMA } from '#service/database/tables.ts';
import { isOwnFile, removeModelFiles } from './modelFiles.ts';
import { removeRunFolder, toOutputPath, toRunPath } from './runFolder.ts';
import { trainings } from './trainingTables.ts';

const keptFiles = pgSchema(SCHEMA).table('kept_files', {
  folder: uuid().notNull(),
  path: text().notNull(),
  experiment_id: uuid().notNull(),
});

const ID_FILE = 'folder-id';

/** The id of a data folder, which it gets when it is first asked for. */
async function readFolderId(dataDir: string): Promise<string> {
  const path = join(dataDir, ID_FILE);
  const read = async (): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim();
  const known = await read();
  if (isUuid(known)) return known;
  const id = randomUUID();
  // Another service may be as quick.
  const isMade = await writeFile(path, `${id}\n`, { mode: 0o600, flag: known === '' ? 'wx' : 'w' }).then(
    () => true,
    () => false,
  );
  return isMade ? id : read();
}

/** Call before something is put into the data folder. `path`: its place there. */
export async function keepFile(orm: Orm, dataDir: string, path: string, experimentId: string): Promise<void> {
  const record = { folder: await readFolderId(dataDir), path, experiment_id: experimentId };
  await orm
    .insert(keptFiles)
    .values(record)
    .onConflictDoUpdate({ target: [keptFiles.folder, keptFiles.path], set: record });
}

/** The runs whose trainer's files are kept in this data folder. */
export async function listKeptOutputs(orm: Orm, dataDir: string): Promise<ReadonlySet<string>> {
  const folder = await readFolderId(dataDir);
  const rows = await orm.select().from(keptFiles).where(eq(keptFiles.folder, folder));
  return new Set(rows.flatMap((row) => (row.path === toOutputPath(row.experiment_id) ? [row.experiment_id] : [])));
}

/** Files of models that older versions have put here without a record. */
export async function keepOlderFiles(orm: Orm, dataDir: string): Promise<void> {
  for (const { file, adapter, experiment_id } of await orm.select().from(models)) {
    const path = adapter ?? file;
    if (experiment_id === null || !isOwnFile(path)) continue;
    if (await stat(join(dataDir, path)).catch(() => null)) await keepFile(orm, dataDir, path, experiment_id);
  }
}

/** Removes the files of models that are in no list any more, and the folders of runs that were removed. */
export async function removeUnneeded(orm: Orm, dataDir: string): Promise<void> {
  const folder = await readFolderId(dataDir);
  const { path, experiment_id } = keptFiles;
  const ofRun = eq(trainings.experiment_id, experiment_id);
  const isRun = sql`${path} like 'training%'`;
  const isListed = or(eq(models.file, path), eq(models.adapter, path));
  // Its model is being made.
  const isGoingOn = and(
    eq(experiments.id, experiment_id),
    inArray(experiments.status, EXPERIMENT_STATUSES.filter(isActiveStatus)),
  );
  const isUnneeded = or(
    and(
      isRun,
      notExists(
        orm
          .select({ x: sql`1` })
          .from(trainings)
          .where(ofRun),
      ),
    ),
    and(
      sql`not ${isRun}`,
      notExists(
        orm
          .select({ x: sql`1` })
          .from(models)
          .where(isListed),
      ),
      notExists(
        orm
          .select({ x: sql`1` })
          .from(experiments)
          .where(isGoingOn),
      ),
    ),
  );
  const isOurs = eq(keptFiles.folder, folder);
  for (const row of await orm.select().from(keptFiles).where(and(isOurs, isUnneeded))) {
    if (row.path.startsWith(toRunPath(row.experiment_id))) await removeRunFolder(dataDir, row.experiment_id);
    else await removeModelFiles(orm, dataDir, row.path);
    await orm.delete(keptFiles).where(and(isOurs, eq(path, row.path), isUnneeded));
  }
}
