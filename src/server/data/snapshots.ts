// Snapshots: the split seen before, the rows frozen, two of them compared.
import { setImmediate as rest } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#shared/contract/data/dataLimits.ts';
import type { NewSnapshot, SnapshotComparison, Split } from '#shared/contract/data/datasets.ts';
import type { RowBucket } from '#shared/contract/rowsFile.ts';
import { compareRows } from '#shared/data/compareRows.ts';
import type { ChatRow } from '#shared/data/chatRow.ts';
import { toQuestionHash } from '#shared/data/contentHash.ts';
import { LEFT_OUT, splitRows, type SplitHashes, type SplitRows } from '#shared/data/split.ts';
import type { Orm } from '#server/studio/database.ts';
import { BLOCK_ROWS } from '#server/studio/rows/rowBlocks.ts';
import { insertFrozenRows, readFrame, readSnapshotRows } from '#server/studio/rows/snapshotFrame.ts';
import { datasets, notDeleted, projects, snapshots } from '#server/studio/tables.ts';
import { DataProblem, notThere } from './dataProblem.ts';
import { findDatasetRecord, lockDataset } from './datasets.ts';
import { readMarks, type RowMark } from './marks.ts';
import type { HashesOf } from './rowHashes.ts';

/** Rows that are read at a time. */
const PAGE = BLOCK_ROWS * 4;

/** The hashes with what people did to rows. */
function withMarks(hashes: SplitHashes, marks: ReadonlyMap<number, RowMark>): SplitHashes {
  if (marks.size === 0) return hashes;
  const marked = { places: hashes.places.slice(), rests: hashes.rests.slice(), chosen: hashes.chosen.slice() };
  for (const { position, is_set_aside, edited_hash } of marks.values()) {
    if (position >= marked.places.length) continue;
    if (is_set_aside) marked.chosen[position] = LEFT_OUT;
    if (edited_hash === null) continue;
    marked.places[position] = Number.parseInt(edited_hash.slice(0, 8), 16);
    marked.rests[position] = Number.parseInt(edited_hash.slice(8), 16);
  }
  return marked;
}

/** Splits in slices, so that the service goes on answering. */
async function split(hashes: SplitHashes, percentage: number): Promise<SplitRows> {
  const work = splitRows(hashes, percentage);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await rest();
  }
}

/** Throws DataProblem 404. */
export async function previewSplit(
  orm: Orm,
  hashesOf: HashesOf,
  datasetId: string,
  percentage: number,
): Promise<Split> {
  const { datapoints_count } = await findDatasetRecord(orm, datasetId);
  const hashes = withMarks(await hashesOf(datasetId, datapoints_count), await readMarks(orm, datasetId));
  const { training, validation, leftOut, chosen, leaks } = await split(hashes, percentage);
  return {
    percentage,
    training_count: training,
    validation_count: validation,
    left_out_count: leftOut,
    chosen_count: chosen,
    leak_count: leaks,
  };
}

const toEdited = (marks: ReadonlyMap<number, RowMark>, end: number): [number, string][] =>
  [...marks.values()]
    .filter(({ position, is_set_aside }) => position < end && !is_set_aside)
    .sort((a, b) => a.position - b.position)
    .flatMap(({ position, edited }) => (edited === null ? [] : [[position, edited]]));

/**
 * Freezes the rows that are there when it is called. Rows never change, so they are read before the transaction, which keeps
 * others waiting. Throws DataProblem: 404, 409 while they are imported, 400 for one without training rows.
 */
export async function createSnapshot(
  orm: Orm,
  hashesOf: HashesOf,
  id: string,
  { dataset_id, split_percentage, name }: NewSnapshot,
  now: Date,
): Promise<void> {
  const percentage = split_percentage ?? SPLIT_PERCENTAGE.fallback;
  const { datapoints_count, status } = await findDatasetRecord(orm, dataset_id);
  const hashes = await hashesOf(dataset_id, status === 'processing' ? 0 : datapoints_count);
  await orm.transaction(async (transaction) => {
    await lockDataset(transaction, dataset_id);
    const marks = await readMarks(transaction, dataset_id);
    const counts = await split(withMarks(hashes, marks), percentage);
    const edited = toEdited(marks, datapoints_count);
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
    await insertFrozenRows(transaction, id, { sides: counts.sides, edited });
  });
}

/** Throws DataProblem 404 for one that is not there, or was deleted. */
export async function checkSnapshot(orm: Orm, id: string, param = 'snapshotId'): Promise<void> {
  const [found] = await orm
    .select({ id: snapshots.id })
    .from(snapshots)
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(and(eq(snapshots.id, id), notDeleted(snapshots, datasets, projects)));
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
    await rest();
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
