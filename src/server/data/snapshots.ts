// Snapshots: the split seen before, the rows frozen, two of them compared.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#shared/contract/data/dataLimits.ts';
import type { NewSnapshot, SnapshotComparison, Split } from '#shared/contract/data/datasets.ts';
import type { RowBucket } from '#shared/contract/rowsFile.ts';
import { compareRows } from '#shared/data/compareRows.ts';
import type { ChatRow } from '#shared/data/chatRow.ts';
import { toQuestionHash } from '#shared/data/contentHash.ts';
import { toRowSide, toSplitPreview, type SplitRow } from '#shared/data/split.ts';
import type { Orm } from '#server/studio/database.ts';
import { BLOCK_ROWS } from '#server/studio/rows/rowBlocks.ts';
import { readRows } from '#server/studio/rows/rowStore.ts';
import { insertFrozenRows, readFrame, readSnapshotRows, SIDE_BYTES } from '#server/studio/rows/snapshotFrame.ts';
import { datasets, projects, snapshots } from '#server/studio/tables.ts';
import { DataProblem, notThere } from './dataProblem.ts';
import { findDatasetRecord, lockDataset } from './datasets.ts';
import { readMarks } from './marks.ts';

/** Rows in memory at a time. */
const PAGE = BLOCK_ROWS * 16;

interface SplitSource extends SplitRow {
  readonly position: number;
}

interface FreezableRows {
  /** Without those that were set aside. */
  readonly rows: readonly SplitSource[];
  readonly leftOut: number;
  readonly mended: readonly (readonly [position: number, text: string])[];
}

/** What a snapshot of the dataset would be made of now. */
async function readFreezable(orm: Orm, datasetId: string, end: number): Promise<FreezableRows> {
  const marks = await readMarks(orm, datasetId);
  const rows: SplitSource[] = [];
  const mended: [number, string][] = [];
  let leftOut = 0;
  for (let from = 0; from < end; from += PAGE) {
    for (const { position, hash, bucket } of await readRows(orm, datasetId, { from, end: from + PAGE })) {
      const mark = marks.get(position);
      if (mark?.is_set_aside === true) leftOut += 1;
      else {
        rows.push({ position, bucket, hash: mark?.mended_hash ?? hash });
        if (mark?.mended != null) mended.push([position, mark.mended]);
      }
    }
  }
  return { rows, leftOut, mended };
}

/** Throws DataProblem 404. */
export async function previewSplit(orm: Orm, datasetId: string, percentage: number): Promise<Split> {
  const { datapoints_count } = await findDatasetRecord(orm, datasetId);
  const { rows, leftOut } = await readFreezable(orm, datasetId, datapoints_count);
  const { training, validation, chosen, leaks } = toSplitPreview(rows, percentage);
  return {
    percentage,
    training_count: training,
    validation_count: validation,
    left_out_count: leftOut,
    chosen_count: chosen,
    leak_count: leaks,
  };
}

/** Freezes the rows. Throws DataProblem: 404, 409 while they are imported, 400 for one without training rows. */
export async function createSnapshot(
  orm: Orm,
  id: string,
  { dataset_id, split_percentage, name }: NewSnapshot,
  now: Date,
): Promise<void> {
  const percentage = split_percentage ?? SPLIT_PERCENTAGE.fallback;
  await orm.transaction(async (transaction) => {
    const { datapoints_count } = await lockDataset(transaction, dataset_id);
    const { rows, mended } = await readFreezable(transaction, dataset_id, datapoints_count);
    const sides = new Uint8Array(datapoints_count);
    const counts = { training: 0, validation: 0 };
    for (const row of rows) {
      const side = toRowSide(row, percentage);
      counts[side] += 1;
      sides[row.position] = SIDE_BYTES[side];
    }
    if (counts.training === 0)
      throw new DataProblem(
        400,
        'The snapshot would have no training rows. Add rows to the dataset, set fewer aside, or choose a larger ' +
          'split_percentage.',
        { param: 'split_percentage', code: 'no_training_rows' },
      );
    const [last] = await transaction
      .select({ count: sql<number>`count(*)::integer`, position: sql<number>`coalesce(max(position), -1)::integer` })
      .from(snapshots)
      .where(eq(snapshots.dataset_id, dataset_id));
    await transaction.insert(snapshots).values({
      id,
      dataset_id,
      position: (last?.position ?? -1) + 1,
      label: name ?? `Snapshot ${(last?.count ?? 0) + 1}`,
      rows_end: datapoints_count,
      training_count: counts.training,
      validation_count: counts.validation,
      answer_shape: null,
      created_at: now,
    });
    await insertFrozenRows(transaction, id, { sides, mended });
  });
}

/** Throws DataProblem 404 for one that is not there, or was deleted. */
export async function checkSnapshot(orm: Orm, id: string, param = 'snapshotId'): Promise<void> {
  const [found] = await orm
    .select({ id: snapshots.id })
    .from(snapshots)
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(
      and(eq(snapshots.id, id), isNull(snapshots.deleted_at), isNull(datasets.deleted_at), isNull(projects.deleted_at)),
    );
  if (!found) throw notThere('snapshot', id, param);
}

interface Compared {
  readonly position: number;
  readonly side: RowBucket;
  readonly hash: string;
  readonly question: string;
}

async function readCompared(orm: Orm, id: string): Promise<Compared[]> {
  const frame = await readFrame(orm, id);
  const all: Compared[] = [];
  if (!frame) return all;
  for (let from = 0; from < frame.rows_end; from += PAGE) {
    for (const { position, bucket, body, hash } of await readSnapshotRows(orm, frame, { from, end: from + PAGE })) {
      const question = toQuestionHash(JSON.parse(body) as ChatRow);
      all.push({ position, side: bucket, hash, question });
    }
  }
  return all;
}

const toPart = (rows: readonly Compared[]) => ({
  count: rows.length,
  positions: rows.slice(0, DATA_LIMITS.compared).map(({ position }) => position),
});

/** Throws DataProblem 404. */
export async function compareSnapshots(orm: Orm, id: string, other: string): Promise<SnapshotComparison> {
  await checkSnapshot(orm, id);
  await checkSnapshot(orm, other, 'with');
  const [before, after] = [await readCompared(orm, other), await readCompared(orm, id)];
  const { same, added, gone, changed } = compareRows(before, after);
  const sides = new Map(before.map(({ hash, side }) => [hash, side]));
  const moved = after.filter(({ hash, side }) => (sides.get(hash) ?? side) !== side);
  return {
    same_count: same,
    added: toPart(added),
    gone: toPart(gone),
    changed: {
      count: changed.length,
      pairs: changed
        .slice(0, DATA_LIMITS.compared)
        .map((pair): [number, number] => [pair.before.position, pair.after.position]),
    },
    moved: toPart(moved),
  };
}
