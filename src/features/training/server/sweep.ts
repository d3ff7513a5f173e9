// What runs leave in the data folder: removed at each start, and while the studio runs.
import { eq, isNull } from 'drizzle-orm';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { datasets, experiments, jobs, projects, snapshots } from '#service/database/tables.ts';
import { canPass } from '#service/database/unavailable.ts';
import { listTriedRuns, removeTried } from './deploy.ts';
import { keepFile, keepOlderFiles, listKeptOutputs, removeUnneeded } from './keptFiles.ts';
import { keepOutput, listRunFolders, removeRunFolder, toRunPath } from './runFolder.ts';
import { trainings } from './trainingTables.ts';

interface SweepOptions {
  readonly database: Database;
  readonly dataDir: string;
  readonly report: (line: string) => void;
}

/** Removes what is left of runs that can't go on, such as of one that ended while the studio was killed. */
async function sweep({ database: { orm }, dataDir }: SweepOptions): Promise<void> {
  // Before the runs are read: another process makes the folder of a run after it has taken it.
  const folders = await listRunFolders(dataDir);
  const rows = await orm
    .select({ id: trainings.experiment_id, can_resume: trainings.can_resume, status: experiments.status })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    // The same run may be trained here for another database.
    .where(isNull(projects.imported_at));
  const goesOn = rows.filter((row) => isActiveStatus(row.status) || (row.can_resume && !isSucceeded(row.status)));
  const outputs = await listKeptOutputs(orm, dataDir);
  const kept = new Set(goesOn.map(({ id }) => id));
  const known = new Map(rows.map(({ id, status }) => [id, status]));
  // Folders of runs that the database does not know stay: the data folder may serve another database, too.
  for (const id of folders)
    if (kept.has(id)) await keepFile(orm, dataDir, toRunPath(id), id);
    else if (outputs.has(id) && isSucceeded(known.get(id))) await keepOutput(dataDir, id);
    else if (known.has(id)) await removeRunFolder(dataDir, id);
  for (const id of await listTriedRuns(orm))
    if (known.has(id) && !kept.has(id) && !isSucceeded(known.get(id))) await removeTried(orm, dataDir, id, 'none');
  await keepOlderFiles(orm, dataDir);
  await removeUnneeded(orm, dataDir);
}

/** Sweeps now, and then each `everyMs` what nothing needs any more. Returns what ends that. */
export async function openSweep(options: SweepOptions, everyMs: number): Promise<() => void> {
  const { database, dataDir, report } = options;
  await sweep(options).catch((error: unknown) =>
    report(`The files of ended trainings could not be removed: ${toReason(error)}. The next start tries again.`),
  );
  let isRemoving = false;
  const removing = setInterval(() => {
    if (isRemoving) return;
    isRemoving = true;
    removeUnneeded(database.orm, dataDir)
      .catch((error: unknown) => {
        if (!canPass(error)) report(`Files of removed runs could not be removed: ${toReason(error)}.`);
      })
      .finally(() => (isRemoving = false));
  }, everyMs);
  removing.unref();
  return () => clearInterval(removing);
}
