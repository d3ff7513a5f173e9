// For tests: all rows of a snapshot.
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { Orm } from '#service/database/database.ts';
import { readFrame, readSnapshotPage, type SnapshotRow } from './snapshotFrame.ts';

export async function readWholeSnapshot(orm: Orm, id: string, bucket?: RowBucket): Promise<SnapshotRow[]> {
  const frame = (await readFrame(orm, id))!;
  const all: SnapshotRow[] = [];
  for (let from = 0; from < frame.rows_end;) {
    const { rows, next } = await readSnapshotPage(orm, frame, { from, end: frame.rows_end }, bucket);
    all.push(...rows);
    from = next;
  }
  return all;
}
