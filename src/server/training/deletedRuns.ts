// Folders of runs that were deleted while nothing trained them: they go once the runs can't be restored any more.
import { eq, inArray, sql } from 'drizzle-orm';
import { DATA_LIMITS } from '#shared/contract/data/dataLimits.ts';
import type { Database } from '#server/studio/database.ts';
import { datasets, experiments, jobs, projects, snapshots } from '#server/studio/tables.ts';
import { listRunFolders, removeRunFolder } from './runFolder.ts';

/** Some minutes earlier than their records, which say that they were deleted. */
const KEPT_MS = (DATA_LIMITS.deletedHours * 60 - 5) * 60_000;

interface DeletedRunsDeps {
  readonly database: Pick<Database, 'orm' | 'isShared'>;
  readonly dataDir: string;
  readonly now: () => Date;
}

export async function removeDeletedRuns({ database, dataDir, now }: DeletedRunsDeps): Promise<void> {
  // Before the runs are read: a run has a record before it has a folder.
  const folders = await listRunFolders(dataDir);
  if (folders.length === 0) return;
  const deletedAt = [experiments, jobs, snapshots, datasets, projects].map(({ deleted_at }) => deleted_at);
  const rows = await database.orm
    .select({
      id: experiments.id,
      seconds: sql<number | null>`extract(epoch from least(${sql.join(deletedAt, sql`, `)}))`,
    })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(inArray(experiments.id, [...folders]));
  const known = new Map(rows.map(({ id, seconds }) => [id, seconds]));
  const before = (now().getTime() - KEPT_MS) / 1000;
  for (const id of folders) {
    const seconds = known.get(id) ?? null;
    // The data folder may serve another database, too, which knows a run that a shared one does not.
    const isGone = known.has(id) ? seconds !== null && Number(seconds) < before : !database.isShared;
    if (isGone) await removeRunFolder(dataDir, id);
  }
}
