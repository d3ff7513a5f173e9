// One import: a file is read while it arrives, its rows are stored block by block, and the dataset is there at the end.
// Whatever goes wrong before, nothing stays.
import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { deflateRawSync } from 'node:zlib';
import type { NewDataset } from '#features/datasets/shared/contract/datasets.ts';
import type { RowForm } from '#core/rows/chatRow.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { DiskFull, isDiskFull } from '#service/database/disk/freeDisk.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Leases } from '#service/database/leases/leases.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, imports, projects } from '#service/database/tables.ts';
import { openFileReader } from './fileReader.ts';
import type { FileResult } from './fileRows.ts';
import { removeImport } from './importLeases.ts';
import { ImportCancelled, ImportLost, ImportRefused } from './importFailures.ts';

export interface ImportSettings extends Pick<NewDataset, 'bad_lines'> {
  readonly form: RowForm | RowMapping | null;
}

export interface ImportPlace {
  readonly name: string;
  readonly project_id: string;
}

export interface Import {
  readonly datasetId: string;
  write(chunk: Uint8Array): Promise<void>;
  /** Stores the last rows and makes the dataset. Throws ImportRefused, ImportCancelled, ImportLost; then nothing has stayed. */
  finish(place: ImportPlace, settings: ImportSettings): Promise<FileResult>;
  /** Ends it in whatever it does. Nothing stays. */
  cancel(): Promise<void>;
}

export interface ImportDeps {
  readonly database: Database;
  readonly now: () => Date;
  /** Stores blocks; tests put a full disk in its place. */
  readonly store?: typeof copyBlocks;
}

/** Rows take at least this part of the bytes of their file. */
const MOST_PACKED = 20;
/** How often progress is written down. */
const BEAT_MS = 1_000;

/** Adds the dataset after all others of its project; false if there is no such project. */
async function addDataset(orm: Orm, created_at: Date, id: string, { name, project_id }: ImportPlace): Promise<boolean> {
  const [project] = await orm
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, project_id), isNull(projects.deleted_at)));
  if (!project) return false;
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
  return true;
}

const noProject = ({ project_id }: ImportPlace): ImportRefused =>
  new ImportRefused('project_not_found', `There is no project ${project_id} in this studio.`, null);

const toFailure = (error: unknown): unknown => {
  if (error instanceof LeaseLost) return new ImportLost();
  if (!isDiskFull(error)) return error;
  const what = error instanceof DiskFull ? error.message : 'The disk of the studio is full.';
  const message = `${what} The rows can not be stored. Free some space and send the file again. Nothing was imported.`;
  return new ImportRefused('disk_full', message, null);
};

/** Throws ImportRefused. */
function checkRoom(database: Database, bytes?: number): void {
  try {
    database.checkRoom?.(bytes);
  } catch (error) {
    throw toFailure(error);
  }
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

/**
 * `place`: null while it is not known, because the file is sent first. `total`: bytes, if they are known. Throws
 * ImportRefused where there is no such project, or no room.
 */
export async function openImport(
  deps: ImportDeps & { readonly leases: Leases },
  datasetId: string,
  {
    place,
    settings,
    fileName,
    total,
  }: {
    readonly place: ImportPlace | null;
    readonly settings: ImportSettings;
    readonly fileName: string | null;
    readonly total: number | null;
  },
): Promise<Import> {
  const { database, leases, now, store = copyBlocks } = deps;
  const { orm } = database;
  let isPlaced: boolean | null = null;
  checkRoom(database, (total ?? 0) / MOST_PACKED);
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
    if (place !== null) {
      isPlaced = await addDataset(transaction, now(), datasetId, place);
      if (!isPlaced) throw noProject(place);
    }
    const taken = await leases.take(transaction, datasetId);
    if (taken === null) throw new LeaseLost();
    return taken;
  });
  const held = leases.hold(lease);
  let first = 0;
  let bytes = 0;
  let failure: unknown = null;
  let beatAt = Date.now();
  let isOver = false;

  async function storeBlocks(blocks: readonly RowBlock[]): Promise<void> {
    if (isOver || blocks.length === 0) return;
    checkRoom(database);
    const at = first;
    // An embedded database stores them in no transaction, and nobody else has it.
    if (database.copy) await store(database, datasetId, at, blocks);
    else await held.write((transaction) => store({ ...database, orm: transaction }, datasetId, at, blocks));
    first += blocks.reduce((sum, { row_count }) => sum + row_count, 0);
  }
  const order = { form: settings.form, fileName, stopsAtBadLine: settings.bad_lines !== 'skip' };
  const reader = openFileReader(order, storeBlocks);

  /** Writes progress down. Throws ImportCancelled if somebody, perhaps in another process, cancelled it. */
  async function beat(): Promise<void> {
    beatAt = Date.now();
    const [record] = await held.write((transaction) =>
      transaction
        .update(imports)
        .set({ bytes, row_count: first })
        .where(eq(imports.dataset_id, datasetId))
        .returning({ is_cancelled: imports.is_cancelled }),
    );
    if (record?.is_cancelled) throw new ImportCancelled();
  }

  async function remove(): Promise<void> {
    isOver = true;
    await reader.stop();
    // If that fails, the lease will be over, and the next sweep removes it.
    held.stop();
    await removeImport(database, datasetId, held.write, held.release).catch((error: unknown) => {
      // It is removed already.
      if (!(error instanceof LeaseLost)) throw error;
    });
  }

  async function complete(result: FileResult): Promise<void> {
    const text = result.badLines.map((line) => JSON.stringify(line)).join('\n');
    await held.write(async (transaction) => {
      const [record] = await transaction.delete(imports).where(eq(imports.dataset_id, datasetId)).returning();
      if (record?.is_cancelled) throw new ImportCancelled();
      await checkProject(transaction, datasetId);
      await transaction
        .update(datasets)
        .set({
          status: 'completed',
          datapoints_count: first,
          form: result.form,
          digest: result.digest,
          bad_line_count: result.badCount,
          bad_lines: text === '' ? null : deflateRawSync(text).toString('base64'),
        })
        .where(eq(datasets.id, datasetId));
      await held.release(transaction);
    });
  }

  function check(result: FileResult, badLines: ImportSettings['bad_lines']): void {
    if (result.refusal) throw new ImportRefused(result.refusal.code, result.refusal.message, null);
    if (result.badCount > 0 && (badLines !== 'skip' || result.rows === 0)) throw ImportRefused.ofBadLines(result);
  }

  return {
    datasetId,
    async write(chunk) {
      bytes += chunk.length;
      try {
        await reader.write(chunk);
        if (Date.now() - beatAt >= BEAT_MS) await beat();
      } catch (error) {
        failure ??= toFailure(error);
        throw failure;
      }
    },
    async finish(given, { bad_lines }) {
      try {
        isPlaced ??= await addDataset(orm, now(), datasetId, given);
        if (!isPlaced) throw noProject(given);
        const result = await reader.end();
        check(result, bad_lines);
        await complete(result);
        isOver = true;
        return result;
      } catch (error) {
        await remove();
        throw toFailure(error);
      }
    },
    cancel: remove,
  };
}

/** Another dataset of the same bytes, the newest one; null: there is none. */
export async function findSameFile(
  { orm }: Database,
  id: string,
  digest: string | null,
): Promise<{ id: string; name: string } | null> {
  if (digest === null) return null;
  const [same] = await orm
    .select({ id: datasets.id, name: datasets.label })
    .from(datasets)
    .where(and(eq(datasets.digest, digest), ne(datasets.id, id), isNull(datasets.deleted_at)))
    .orderBy(desc(datasets.created_at))
    .limit(1);
  return same ?? null;
}
