// One import: a file is read while it arrives, its rows are stored block by block, and the dataset is there at the end.
// Whatever goes wrong before, nothing stays.
import { createHash } from 'node:crypto';
import { and, desc, eq, isNull, ne } from 'drizzle-orm';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { NewDataset } from '#features/datasets/shared/contract/datasets.ts';
import type { RowForm } from '#core/rows/chatRow.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import type { Database } from '#service/database/database.ts';
import { DiskFull, isDiskFull } from '#service/database/disk/freeDisk.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Leases } from '#service/database/leases/leases.ts';
import { datasets } from '#service/database/tables.ts';
import { openFileReader } from './fileReader.ts';
import type { FileResult } from './fileRows.ts';
import { startHeldImport, type ImportDeps, type ImportPlace } from './heldImport.ts';
import { ImportLost, ImportRefused } from './importFailures.ts';

export interface ImportSettings extends Pick<NewDataset, 'bad_lines'> {
  readonly form: RowForm | RowMapping | null;
  /** The side that the rows of the first file are meant for; absent: the split decides. */
  readonly bucket?: RowBucket;
}

export interface Import {
  readonly datasetId: string;
  write(chunk: Uint8Array): Promise<void>;
  /** The file has ended, and another one begins, whose rows come after its rows. Throws ImportRefused. */
  nextFile(fileName: string | null, bucket: RowBucket): Promise<void>;
  /** Stores the last rows and makes the dataset. Throws ImportRefused, ImportCancelled, ImportLost; then nothing has stayed. */
  finish(place: ImportPlace, settings: ImportSettings): Promise<FileResult>;
  /** Ends it in whatever it does. Nothing stays. */
  cancel(): Promise<void>;
}

/** Rows take at least this part of the bytes of their file. */
const MOST_PACKED = 20;
/** How often progress is written down. */
const BEAT_MS = 1_000;

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

/** Throws ImportRefused for a file that is not kept. */
function check(result: FileResult, badLines: ImportSettings['bad_lines']): void {
  if (result.refusal) throw new ImportRefused(result.refusal.code, result.refusal.message, null);
  if (result.badCount > 0 && (badLines !== 'skip' || result.rows === 0)) throw ImportRefused.ofBadLines(result);
}

/** What was read of several files, one after the other. */
const toJoined = (before: FileResult | null, result: FileResult): FileResult =>
  before === null
    ? result
    : {
        ...result,
        rows: before.rows + result.rows,
        badCount: before.badCount + result.badCount,
        badLines: [...before.badLines, ...result.badLines],
        digest: createHash('sha256').update(before.digest).update(result.digest).digest('hex'),
      };

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
  const { database } = deps;
  checkRoom(database, (total ?? 0) / MOST_PACKED);
  const held = await startHeldImport(deps, datasetId, { place, total });
  let bytes = 0;
  let failure: unknown = null;
  let beatAt = Date.now();
  let isOver = false;
  const openReader = (name: string | null, bucket: RowBucket | null) =>
    openFileReader(
      { form: settings.form, fileName: name, stopsAtBadLine: settings.bad_lines !== 'skip', bucket },
      async (blocks) => {
        if (isOver || blocks.length === 0) return;
        checkRoom(database);
        await held.addBlocks(blocks);
      },
    );
  let reader = openReader(fileName, settings.bucket ?? null);
  /** Of the files before. */
  let before: FileResult | null = null;

  async function remove(): Promise<void> {
    isOver = true;
    await reader.stop();
    await held.remove();
  }

  return {
    datasetId,
    async write(chunk) {
      bytes += chunk.length;
      try {
        await reader.write(chunk);
        if (Date.now() - beatAt < BEAT_MS) return;
        beatAt = Date.now();
        await held.beat(bytes);
      } catch (error) {
        failure ??= toFailure(error);
        throw failure;
      }
    },
    async nextFile(name, bucket) {
      const result = await reader.end();
      check(result, settings.bad_lines);
      before = toJoined(before, result);
      reader = openReader(name, bucket);
    },
    async finish(given, { bad_lines }) {
      try {
        await held.addDataset(given);
        const result = await reader.end();
        check(result, bad_lines);
        const whole = toJoined(before, result);
        await held.complete(whole);
        return whole;
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
