// Imports of projects in the database. While one runs, its project is hidden as deleted ones are, but for ever.
import { and, eq, lt, sql } from 'drizzle-orm';
import { pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Database, Orm } from '#server/studio/database.ts';
import { datasets, experiments, INCOMPLETE, jobs, models, projects, SCHEMA, snapshots } from '#server/studio/tables.ts';
import { removeModelFiles } from '#server/training/modelFiles.ts';

const moment = () => timestamp({ withTimezone: true, mode: 'date' }).notNull();

export const transfers = pgSchema(SCHEMA).table('transfers', {
  project_id: uuid().primaryKey(),
  started_at: moment(),
  beat_at: moment(),
});

/** An import whose heart has not beaten for so long belongs to a process that is gone. */
const DEAD_MS = 60_000;

/** Files of the models of a project. */
async function listFiles(orm: Orm, projectId: string): Promise<readonly string[]> {
  const rows = await orm
    .select({ file: models.file, adapter: models.adapter })
    .from(models)
    .innerJoin(experiments, eq(models.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(eq(datasets.project_id, projectId));
  return rows.map(({ file, adapter }) => adapter ?? file);
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
  if (removed) for (const file of files) await removeModelFiles(orm, dataDir, file);
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
