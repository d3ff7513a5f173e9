// The rows that a dataset or a snapshot has, and the sides on which it has them.
import { eq } from 'drizzle-orm';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { Orm } from '#service/database/database.ts';
import type { PlacedRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { countRows } from '#features/datasets/server/rows/rowStore.ts';
import { readFrame } from '#features/datasets/server/rows/snapshotFrame.ts';
import { imports } from '#service/database/tables.ts';
import { findDatasetRecord } from './datasets.ts';
import type { RowMark } from './rowEdits.ts';
import { checkSnapshot } from './snapshots.ts';

export interface RowsView {
  readonly datasetId: string;
  readonly end: number;
  /** `undefined`: the row is not there. */
  sideOf(row: PlacedRow): RowBucket | null | undefined;
  /** The text of the row that counts here. */
  textOf(row: PlacedRow, mark: RowMark | undefined): string;
  readonly isFrozen: boolean;
}

/** Throws DataProblem 404. */
export async function openRowsView(orm: Orm, { kind, id }: RowsOf): Promise<RowsView> {
  if (kind === 'snapshot') {
    await checkSnapshot(orm, id);
    const frame = await readFrame(orm, id);
    return {
      datasetId: frame?.dataset_id ?? id,
      end: frame?.rows_end ?? 0,
      sideOf: (row) => frame?.sideOf(row) ?? undefined,
      textOf: (row) => frame?.editedText(row.position) ?? row.text,
      isFrozen: true,
    };
  }
  const [running] = await orm.select({ id: imports.dataset_id }).from(imports).where(eq(imports.dataset_id, id));
  const end = running ? await countRows(orm, id) : (await findDatasetRecord(orm, id)).datapoints_count;
  return {
    datasetId: id,
    end,
    sideOf: ({ bucket }) => bucket,
    textOf: (row, mark) => mark?.edited ?? row.text,
    isFrozen: false,
  };
}
