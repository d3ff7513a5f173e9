// Reads the rows of a snapshot, page by page.
import { and, eq } from 'drizzle-orm';
import { toRowsFileName, type RowBucket } from '#core/contract/rowsFile.ts';
import type { Database } from '#service/database/database.ts';
import { readFrame, readSnapshotPage, type SnapshotFrame } from './snapshotFrame.ts';
import { datasets, notDeleted, projects, snapshots } from '#service/database/tables.ts';

export interface SnapshotRows {
  /** A name for the file: see `toRowsFileName`. */
  readonly fileName: string;
  /** JSON texts, each without a line break, in stored order. Reading a page throws DatabaseUnavailable. */
  readonly pages: AsyncIterable<readonly string[]>;
}

async function* readPages(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  frame: SnapshotFrame,
  bucket: RowBucket,
): AsyncGenerator<readonly string[], void> {
  const end = frame.rows_end;
  for (let from = 0; from < end;) {
    const start = from;
    const { rows, next } = await guard(() => readSnapshotPage(orm, frame, { from: start, end }, bucket));
    from = next;
    yield rows.map(({ body }) => body);
  }
}

/** See `findRows` of the Studio. */
export async function findRows(
  database: Pick<Database, 'orm' | 'guard'>,
  snapshotId: string,
  bucket: RowBucket,
): Promise<SnapshotRows | null> {
  const [found] = await database.guard(async () =>
    database.orm
      .select({ dataset: datasets.label, snapshot: snapshots })
      .from(snapshots)
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .innerJoin(projects, eq(datasets.project_id, projects.id))
      .where(and(eq(snapshots.id, snapshotId), notDeleted(snapshots, datasets, projects))),
  );
  const frame = found && (await database.guard(() => readFrame(database.orm, snapshotId)));
  if (!found || !frame) return null;
  const { dataset, snapshot } = found;
  return {
    fileName: toRowsFileName({ snapshotId, dataset, snapshot: snapshot.label }, bucket),
    pages: readPages(database, frame, bucket),
  };
}
