// Projects and datasets: made, found with the progress of their import, and given single rows.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { inflateRawSync } from 'node:zlib';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import {
  DATASET_FORMS,
  type BadLine,
  type Dataset,
  type NewDatapoint,
} from '#features/datasets/shared/contract/datasets.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { toBlock, type StoredRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { countRows, insertBlocks, readRows, removeBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { datasets, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { DataProblem, notThere } from './dataProblem.ts';
import { findImport, type ImportRecord } from '#features/datasets/server/importing/importLeases.ts';
import { findSameFile } from '#features/datasets/server/importing/openImport.ts';

export type DatasetRecord = typeof datasets.$inferSelect;

export async function createProject(
  orm: Orm,
  project: { readonly id: string; readonly name: string; readonly goal: string | null; readonly created_at: Date },
): Promise<void> {
  await orm.insert(projects).values(project);
}

/** A dataset that was not deleted, nor its project. Throws DataProblem 404. */
export async function findDatasetRecord(orm: Orm, id: string, param?: string): Promise<DatasetRecord> {
  const [found] = await orm
    .select({ dataset: datasets })
    .from(datasets)
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(and(eq(datasets.id, id), notDeleted(datasets, projects)));
  if (!found) throw notThere('dataset', id, param);
  return found.dataset;
}

/** The lines that were no rows, the first `most`: all that are kept, if it is not given. */
export function readBadLines({ bad_lines }: Pick<DatasetRecord, 'bad_lines'>, most?: number): BadLine[] {
  if (bad_lines === null) return [];
  const text = inflateRawSync(Buffer.from(bad_lines, 'base64')).toString('utf8');
  return text.split('\n', most).map((line) => JSON.parse(line) as BadLine);
}

function toProgress({ bytes, total, row_count, started_at }: ImportRecord, now: Date): Dataset['progress'] {
  const seconds = Math.max(0.001, (now.getTime() - started_at.getTime()) / 1000);
  return { bytes, total, rows: row_count, rows_per_second: Math.round((row_count / seconds) * 10) / 10 };
}

/** A dataset, or the import that is to become one. Throws DataProblem 404. */
export async function findDataset(database: Database, id: string, now: Date): Promise<Dataset> {
  const running = await findImport(database.orm, id);
  if (running) {
    const { project_id, name, row_count, started_at } = running;
    return {
      id,
      name,
      project_id,
      status: 'processing',
      datapoints_count: row_count,
      created_at: started_at.toISOString(),
      updated_at: now.toISOString(),
      labels: [],
      snapshots: [],
      form: null,
      progress: toProgress(running, now),
      bad_lines: { count: 0, first: [] },
      same_file_as: null,
      error: null,
    };
  }
  const record = await findDatasetRecord(database.orm, id);
  const made = await database.orm
    .select({ id: snapshots.id, created_at: snapshots.created_at })
    .from(snapshots)
    .where(and(eq(snapshots.dataset_id, id), isNull(snapshots.deleted_at)))
    .orderBy(asc(snapshots.position));
  const changes = [record.created_at, record.updated_at ?? record.created_at, ...made.map((each) => each.created_at)];
  return {
    id,
    name: record.label,
    project_id: record.project_id,
    status: record.status,
    datapoints_count: record.datapoints_count,
    created_at: record.created_at.toISOString(),
    updated_at: new Date(Math.max(...changes.map(Number))).toISOString(),
    labels: [],
    snapshots: made.map((each) => ({ id: each.id, created_at: each.created_at.toISOString() })),
    form: DATASET_FORMS.find((form) => form === record.form) ?? null,
    progress: null,
    bad_lines: {
      count: record.bad_line_count,
      first: readBadLines(record, DATA_LIMITS.badLinesShown),
    },
    same_file_as: await findSameFile(database, id, record.digest),
    error: record.status === 'failed' ? (readBadLines(record, 1)[0]?.message ?? null) : null,
  };
}

/** One writer of a dataset's rows or marks at a time. Call it in a transaction. */
export async function lockDataset(orm: Orm, id: string): Promise<DatasetRecord> {
  await orm.execute(sql`select 1 from ${datasets} where ${datasets.id} = ${id} for update`);
  const record = await findDatasetRecord(orm, id);
  if (record.status === 'processing')
    throw new DataProblem(409, 'The dataset is being imported. Wait until its status is completed.', {
      code: 'dataset_processing',
    });
  return record;
}

/** Throws DataProblem 400. */
export function toRow({ messages, tools, bucket: given }: NewDatapoint): StoredRow {
  const read = toChatRow({ number: 1, text: JSON.stringify(tools ? { messages, tools } : { messages }) }, 'chat');
  if (!read.ok)
    throw new DataProblem(400, `messages can not be a row: ${read.problem.message}`, {
      param: 'messages',
      code: 'invalid_row',
    });
  const bucket = given === 'uncategorized' ? null : (given ?? null);
  return { text: read.text, original: null, hash: toContentHash(read.text), bucket };
}

/** The id of a row in answers: that of its dataset with the position in its last 12 digits. */
export const toRowId = (datasetId: string, position: number): string =>
  datasetId.slice(0, 24) + position.toString(16).padStart(12, '0');

/** Adds a row after all others. Returns its position. Throws DataProblem. */
export async function addDatapoint(orm: Orm, datasetId: string, datapoint: NewDatapoint, now: Date): Promise<number> {
  const row = toRow(datapoint);
  return orm.transaction(async (transaction) => {
    const { datapoints_count } = await lockDataset(transaction, datasetId);
    const end = await countRows(transaction, datasetId);
    if (end >= DATA_LIMITS.rows)
      throw new DataProblem(409, 'The dataset has as many rows as one can have.', { code: 'dataset_full' });
    // The last block grows until it is full, so that rows that come one by one don't make a block each.
    const last = await readRows(transaction, datasetId, { from: end - 1, end }, 'blocks');
    const first = last[0]?.position ?? end;
    const isFull = last.length === 0 || last.length >= BLOCK_ROWS;
    if (isFull) await insertBlocks(transaction, datasetId, end, [toBlock([row])]);
    else {
      await removeBlocks(transaction, datasetId, first);
      await insertBlocks(transaction, datasetId, first, [toBlock([...last, row])]);
    }
    await transaction
      .update(datasets)
      .set({ datapoints_count: datapoints_count + 1, updated_at: now })
      .where(eq(datasets.id, datasetId));
    return end;
  });
}
