// Imports of projects in the database. While one runs, its project is hidden as deleted ones are, but for ever.
import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Database, Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import { openLeases, type HeldLease, type Leases } from '#service/database/leases/leases.ts';
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
import { idsTaken } from './freeIds.ts';

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

/** A project that is being imported. Nobody but its import writes it, and nobody sees it. */
export interface HiddenProject extends Pick<HeldLease, 'write' | 'assertHeld' | 'stop'> {
  readonly id: string;
  /** Shows it, with what `work` stores. Throws LeaseLost if it was cancelled meanwhile. */
  show(work: (transaction: Orm) => Promise<void>): Promise<void>;
  /** Removes all that was stored of it, if it is there still, and nobody has taken it over. */
  remove(): Promise<void>;
}

export interface HiddenProjectDeps {
  readonly database: Database;
  readonly dataDir: string;
  readonly leases: Leases;
}

/** Throws TransferProblem if somebody has its lease. */
export async function hideProject(
  { database, dataDir, leases }: HiddenProjectDeps,
  project: typeof projects.$inferInsert,
): Promise<HiddenProject> {
  const { id } = project;
  const lease = await database.orm.transaction(async (transaction) => {
    await transaction.insert(projects).values({ ...project, deleted_at: INCOMPLETE });
    const taken = await leases.take(transaction, id);
    // Without a lease nobody would ever remove what is hidden.
    if (taken === null) throw idsTaken();
    return taken;
  });
  const { write, assertHeld, stop, release } = leases.hold(lease);
  return {
    id,
    write,
    assertHeld,
    stop,
    show: (work) =>
      write(async (transaction) => {
        await work(transaction);
        const isOurs = and(eq(projects.id, id), eq(projects.deleted_at, INCOMPLETE));
        const shown = await transaction.update(projects).set({ deleted_at: null }).where(isOurs).returning();
        if (shown.length === 0) throw new LeaseLost();
        await release(transaction);
      }),
    async remove() {
      const files = await write(async (transaction) => {
        const found = await endTransfer(transaction, id);
        await release(transaction);
        return found;
      }).catch((error: unknown) => {
        // It is removed already.
        if (!(error instanceof LeaseLost)) throw error;
        return null;
      });
      if (files) await removeEnded(database, dataDir, files);
    },
  };
}
