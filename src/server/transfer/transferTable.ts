// Imports of projects in the database. While one runs, its project is hidden as deleted ones are, but for ever.
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { and, eq, lt, sql } from 'drizzle-orm';
import { pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Database, Orm } from '#server/studio/database.ts';
import { datasets, experiments, INCOMPLETE, jobs, models, projects, SCHEMA, snapshots } from '#server/studio/tables.ts';
import { listForms } from '#server/training/deploy.ts';
import { isOwnFile } from './modelNames.ts';

const moment = () => timestamp({ withTimezone: true, mode: 'date' }).notNull();

export const transfers = pgSchema(SCHEMA).table('transfers', {
  project_id: uuid().primaryKey(),
  started_at: moment(),
  beat_at: moment(),
});

/** An import whose heart has not beaten for so long belongs to a process that is gone. */
const DEAD_MS = 60_000;

/** Files of models of a project that no model of another project uses. */
async function listFiles(orm: Orm, projectId: string): Promise<string[]> {
  const own = orm
    .select({ id: models.id })
    .from(models)
    .innerJoin(experiments, eq(models.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(eq(datasets.project_id, projectId));
  const ids = new Set((await own).map(({ id }) => id));
  const all = await orm.select({ id: models.id, file: models.file, adapter: models.adapter }).from(models);
  const used = new Set(all.filter(({ id }) => !ids.has(id)).flatMap(({ file, adapter }) => [file, adapter]));
  const files = all.filter(({ id }) => ids.has(id)).map(({ file, adapter }) => adapter ?? file);
  return files.filter((file) => isOwnFile(file) && !used.has(file));
}

/** Removes all that an import has stored. A project that is complete stays. */
export async function removeTransfer(orm: Orm, dataDir: string, projectId: string): Promise<void> {
  const files = await listFiles(orm, projectId);
  const removed = await orm.transaction(async (transaction) => {
    const [gone] = await transaction
      .delete(projects)
      .where(and(eq(projects.id, projectId), eq(projects.deleted_at, INCOMPLETE)))
      .returning({ id: projects.id });
    await transaction.delete(transfers).where(eq(transfers.project_id, projectId));
    return gone;
  });
  if (!removed) return;
  for (const file of files) {
    await rm(join(dataDir, file), { force: true });
    await rm(join(dataDir, `${file}.part`), { force: true });
    for (const { path } of await listForms(join(dataDir, file))) await rm(path, { force: true });
  }
}

/** Removes what killed processes left. A database that no other process uses has only those of this one's past. */
export async function removeDeadTransfers(
  { orm, isShared }: Pick<Database, 'orm' | 'isShared'>,
  dataDir: string,
  now: Date,
  isFirst: boolean,
): Promise<void> {
  const isDead = isFirst && !isShared ? sql`true` : lt(transfers.beat_at, new Date(now.getTime() - DEAD_MS));
  const dead = await orm.select({ id: transfers.project_id }).from(transfers).where(isDead);
  for (const { id } of dead) await removeTransfer(orm, dataDir, id);
}

/** false: it was removed, as its heart had stopped. */
export async function beatTransfer(orm: Orm, projectId: string, now: Date): Promise<boolean> {
  const beaten = await orm
    .update(transfers)
    .set({ beat_at: now })
    .where(eq(transfers.project_id, projectId))
    .returning({ id: transfers.project_id });
  return beaten.length > 0;
}
