// Reads the rows of a snapshot, page by page.
import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { toRowsFileName, type RowBucket } from '#shared/contract/rowsFile.ts';
import type { Database, Orm } from './database.ts';
import type { SnapshotRows } from './studio.ts';
import { datasetRows, datasets, snapshots } from './tables.ts';

/** The rows that a snapshot holds: those of a dataset below a position. */
export interface RowRange {
  readonly dataset_id: string;
  readonly rows_end: number;
}

interface RowPage {
  /** The first position. */
  readonly start: number;
  /** Positions, of both buckets. */
  readonly size: number;
  /** Both, if not given. */
  readonly bucket?: RowBucket;
}

/** The rows of one page, in stored order. */
export function readRowPage(orm: Orm, { dataset_id, rows_end }: RowRange, { start, size, bucket }: RowPage) {
  return orm
    .select({ bucket: datasetRows.bucket, body: datasetRows.body })
    .from(datasetRows)
    .where(
      and(
        eq(datasetRows.dataset_id, dataset_id),
        gte(datasetRows.position, start),
        lt(datasetRows.position, Math.min(start + size, rows_end)),
        bucket === undefined ? undefined : eq(datasetRows.bucket, bucket),
      ),
    )
    .orderBy(asc(datasetRows.position));
}

/** Rows in memory at a time. A row may be as long as a conversation, so pages are small. */
const PAGE = 200;

async function* readPages(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  range: RowRange,
  bucket: RowBucket,
): AsyncGenerator<readonly string[], void> {
  for (let start = 0; start < range.rows_end; start += PAGE) {
    const page = await guard(async () => readRowPage(orm, range, { start, size: PAGE, bucket }));
    if (page.length > 0) yield page.map((row) => row.body);
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
      .where(eq(snapshots.id, snapshotId)),
  );
  if (!found) return null;
  const { dataset, snapshot } = found;
  return {
    fileName: toRowsFileName({ snapshotId, dataset, snapshot: snapshot.label }, bucket),
    pages: readPages(database, snapshot, bucket),
  };
}
