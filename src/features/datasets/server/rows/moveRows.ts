// Moves the rows of studios before migration 0010 from one row a line to blocks.
import { sql } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { toStoredRow } from './importedRow.ts';
import { BLOCK_ROWS, toBlocks } from './rowBlocks.ts';
import { insertBlocks } from './rowStore.ts';

interface OldRow {
  readonly bucket: 'training' | 'validation';
  readonly body: string;
}

const OLD = sql.raw('studio.dataset_rows');
const PAGE = BLOCK_ROWS * 16;

const toList = <Row>(result: unknown): readonly Row[] =>
  (Array.isArray(result) ? result : (result as { readonly rows: readonly Row[] }).rows) as readonly Row[];

async function moveDataset(orm: Orm, dataset_id: string): Promise<void> {
  // Positions of old rows have no gaps: they were only ever added.
  for (let first = 0; ; first += PAGE) {
    const rows = toList<OldRow>(
      await orm.execute(sql`
        select bucket, body from ${OLD}
        where dataset_id = ${dataset_id} and position >= ${first} and position < ${first + PAGE} order by position`),
    );
    if (rows.length === 0) return;
    await insertBlocks(orm, dataset_id, first, toBlocks(rows.map(({ bucket, body }) => toStoredRow(body, bucket))));
  }
}

/** All rows or none; nothing if the old table is gone. */
export async function moveOldRows(orm: Orm): Promise<void> {
  const [old] = toList<{ name: string | null }>(
    await orm.execute(sql`select to_regclass('studio.dataset_rows')::text as name`),
  );
  if (old?.name == null) return;
  await orm.transaction(async (transaction) => {
    const datasets = toList<{ id: string }>(
      await transaction.execute(sql`select distinct dataset_id as id from ${OLD}`),
    );
    for (const { id } of datasets) await moveDataset(transaction, id);
    await transaction.execute(sql`drop table ${OLD}`);
  });
}
