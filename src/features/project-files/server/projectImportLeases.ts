// Imports of projects in the database. While one runs, its project is hidden as deleted ones are, but for ever.
import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Database, Orm } from '#service/database/database.ts';
import { openLeases, type Leases } from '#service/database/leases/leases.ts';
import {
  datasets,
  experiments,
  INCOMPLETE,
  jobs,
  models,
  projects,
  REMOVED,
  snapshots,
} from '#service/database/tables.ts';
import { removeMarked } from '#features/datasets/server/importing/removal.ts';
import { removeModelFiles } from '#features/training/server/modelFiles.ts';

/** After so long without a word its service is gone. Nobody can go on with an upload, so there is no hurry. */
const LEASE_MS = 60_000;

/** An import has the lease of its project from the record of the project to the end. */
export const openTransferLeases = (database: Database): Leases => openLeases(database, 'transfer', LEASE_MS);

/** The models of the runs of a project, with their base models. `isThere`: of which runs. */
export const selectModels = (orm: Orm, projectId: string, isThere?: SQL) =>
  orm
    .select({ model: models, base: experiments.base_model_id })
    .from(models)
    .innerJoin(experiments, eq(models.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(and(eq(datasets.project_id, projectId), isThere))
    .orderBy(asc(models.position), asc(models.id));

/**
 * Marks the project of an import as one that is being removed, for whoever has its lease: from here on it can't become
 * complete. Resolves to the files of its models; null: it is complete, or was marked before.
 */
export async function endTransfer(orm: Orm, projectId: string): Promise<readonly string[] | null> {
  const listed = await selectModels(orm, projectId);
  const [marked] = await orm
    .update(projects)
    .set({ deleted_at: REMOVED })
    .where(and(eq(projects.id, projectId), eq(projects.deleted_at, INCOMPLETE)))
    .returning({ id: projects.id });
  return marked ? listed.map(({ model }) => model.adapter ?? model.file) : null;
}

/** Removes what an import has stored that was ended. If that fails, a sweep goes on. */
export async function removeEnded(database: Database, dataDir: string, files: readonly string[]): Promise<void> {
  await removeMarked(database);
  for (const file of files) await removeModelFiles(database.orm, dataDir, file);
}
