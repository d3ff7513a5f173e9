// An import in the database while its service holds the lease: its progress, its rows, and how it ends.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { deflateRawSync } from 'node:zlib';
import type { Database, Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Leases } from '#service/database/leases/leases.ts';
import { datasets, imports, projects } from '#service/database/tables.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import type { FileResult } from './fileRows.ts';
import { ImportCancelled, ImportRefused } from './importFailures.ts';
import { removeImport } from './importLeases.ts';

export interface ImportPlace {
  readonly name: string;
  readonly project_id: string;
}

export interface ImportDeps {
  readonly database: Database;
  readonly now: () => Date;
  /** Stores blocks; tests put a full disk in its place. */
  readonly store?: typeof copyBlocks;
}

/** All but `remove` throw LeaseLost when another service has taken it for dead. */
export interface HeldImport {
  /** Adds the dataset, if its place was not known at the start. Throws ImportRefused where there is no such project. */
  addDataset(place: ImportPlace): Promise<void>;
  /** Stores blocks behind those before. */
  addBlocks(blocks: readonly RowBlock[]): Promise<void>;
  /** Writes progress down. Throws ImportCancelled if somebody, perhaps in another process, cancelled it. */
  beat(bytes: number): Promise<void>;
  /** Makes the dataset complete. Throws ImportCancelled, and ImportRefused if its project was deleted. */
  complete(result: FileResult, status?: 'completed' | 'failed'): Promise<void>;
  /** Nothing stays, but for a dataset that is complete. */
  remove(): Promise<void>;
}

/** Adds the dataset after all others of its project. Throws ImportRefused if there is no such project. */
async function addDataset(orm: Orm, created_at: Date, id: string, { name, project_id }: ImportPlace): Promise<void> {
  const [project] = await orm
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, project_id), isNull(projects.deleted_at)));
  if (!project) throw new ImportRefused('project_not_found', `There is no project ${project_id} in this studio.`, null);
  const position = sql<number>`(select coalesce(max(position), -1) + 1 from ${datasets} where project_id = ${project_id})`;
  await orm.insert(datasets).values({
    id,
    project_id,
    position,
    label: name,
    status: 'processing',
    datapoints_count: 0,
    created_at,
  });
}

/** Throws ImportRefused if the project was deleted while the file arrived: nobody would see the dataset. */
async function checkProject(orm: Orm, datasetId: string): Promise<void> {
  const [project] = await orm
    .select({ deleted_at: projects.deleted_at })
    .from(datasets)
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(eq(datasets.id, datasetId));
  if (project?.deleted_at === null) return;
  const message =
    'The project was deleted while the file arrived. Restore it, or choose another, and send the file again.';
  throw new ImportRefused('project_not_found', message, null);
}

/** `place`: null while it is not known. Throws ImportRefused where there is no such project. */
export async function startHeldImport(
  { database, leases, now, store = copyBlocks }: ImportDeps & { readonly leases: Leases },
  datasetId: string,
  { place, total }: { readonly place: ImportPlace | null; readonly total: number | null },
): Promise<HeldImport> {
  const { orm } = database;
  const lease = await orm.transaction(async (transaction) => {
    await transaction.insert(imports).values({
      dataset_id: datasetId,
      project_id: place?.project_id ?? null,
      name: place?.name ?? '',
      bytes: 0,
      total,
      row_count: 0,
      is_cancelled: false,
      started_at: now(),
    });
    if (place !== null) await addDataset(transaction, now(), datasetId, place);
    const taken = await leases.take(transaction, datasetId);
    if (taken === null) throw new LeaseLost();
    return taken;
  });
  const held = leases.hold(lease);
  let rows = 0;

  return {
    async addDataset(given) {
      if (place === null) await addDataset(orm, now(), datasetId, given);
    },
    async addBlocks(blocks) {
      const at = rows;
      // An embedded database stores them in no transaction, and nobody else has it.
      if (database.copy) await store(database, datasetId, at, blocks);
      else await held.write((transaction) => store({ ...database, orm: transaction }, datasetId, at, blocks));
      rows += blocks.reduce((sum, { row_count }) => sum + row_count, 0);
    },
    async beat(bytes) {
      const [record] = await held.write((transaction) =>
        transaction
          .update(imports)
          .set({ bytes, row_count: rows })
          .where(eq(imports.dataset_id, datasetId))
          .returning({ is_cancelled: imports.is_cancelled }),
      );
      if (record?.is_cancelled) throw new ImportCancelled();
    },
    async complete({ form, digest, badCount, badLines }, status = 'completed') {
      const text = badLines.map((line) => JSON.stringify(line)).join('\n');
      await held.write(async (transaction) => {
        const [record] = await transaction.delete(imports).where(eq(imports.dataset_id, datasetId)).returning();
        if (record?.is_cancelled) throw new ImportCancelled();
        await checkProject(transaction, datasetId);
        await transaction
          .update(datasets)
          .set({
            status,
            datapoints_count: rows,
            form,
            digest,
            bad_line_count: badCount,
            bad_lines: text === '' ? null : deflateRawSync(text).toString('base64'),
          })
          .where(eq(datasets.id, datasetId));
        await held.release(transaction);
      });
    },
    async remove() {
      // If the rest fails, the lease will be over, and the next sweep removes it.
      held.stop();
      await removeImport(database, datasetId, held.write, held.release).catch((error: unknown) => {
        // It is removed already.
        if (!(error instanceof LeaseLost)) throw error;
      });
    },
  };
}
