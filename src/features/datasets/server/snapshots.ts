// Snapshots: the split seen before, the rows frozen.
import { setImmediate as rest } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import type { NewSnapshot, Split } from '#features/datasets/shared/contract/datasets.ts';
import { LEFT_OUT, splitRows, type SplitHashes, type SplitRows } from '#features/datasets/shared/split.ts';
import type { Orm } from '#service/database/database.ts';
import { insertFrozenRows } from '#features/datasets/server/rows/snapshotFrame.ts';
import { datasets, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { DataProblem, notThere } from './dataProblem.ts';
import { findDatasetRecord, lockDataset } from './datasets.ts';
import { readMarks, type RowMark } from './rowEdits.ts';
import type { HashesOf } from './rowHashes.ts';

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
  const { datapoints_count, status } = await findDatasetRecord(orm, dataset_id, 'dataset_id');
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
