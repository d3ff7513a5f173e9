// Blocks of rows in the database. Bytes go as base64 in statements, which the embedded database reads seven times as
// quickly as bytea, and by COPY where it can.
import { and, asc, eq, gt, lt, max, sql } from 'drizzle-orm';
import type { Orm } from '#server/studio/database.ts';
import { rowBlocks } from '#server/studio/tables.ts';
import { BLOCK_ROWS, readBlock, type PlacedRow, type RowBlock } from './rowBlocks.ts';

/** Half-open range of positions. */
export interface Positions {
  readonly from: number;
  readonly end: number;
}

const toBytes = (bytes: Uint8Array) => sql`decode(${Buffer.from(bytes).toString('base64')}, 'base64')`;

/** Inserts blocks one after the other, from a position. */
export async function insertBlocks(
  orm: Orm,
  dataset_id: string,
  first: number,
  blocks: readonly RowBlock[],
): Promise<void> {
  let first_position = first;
  for (const { row_count, body, grams } of blocks) {
    await orm
      .insert(rowBlocks)
      .values({ dataset_id, first_position, row_count, body: toBytes(body), grams: toBytes(grams) });
    first_position += row_count;
  }
}

/** Blocks that hold rows of a range. */
const isOf = (datasetId: string, { from, end }: Positions) =>
  and(
    eq(rowBlocks.dataset_id, datasetId),
    gt(rowBlocks.first_position, from - BLOCK_ROWS),
    lt(rowBlocks.first_position, end),
    gt(sql`${rowBlocks.first_position} + ${rowBlocks.row_count}`, from),
  );

/** The rows of a range, in order; those that are not there are left out. Reads whole blocks, so ask for many at once. */
export async function readRows(orm: Orm, datasetId: string, range: Positions): Promise<PlacedRow[]> {
  if (range.end <= range.from) return [];
  const found = await orm
    .select({ first: rowBlocks.first_position, body: sql<string>`encode(${rowBlocks.body}, 'base64')` })
    .from(rowBlocks)
    .where(isOf(datasetId, range))
    .orderBy(asc(rowBlocks.first_position));
  return found.flatMap(({ first, body }) =>
    readBlock(Buffer.from(body, 'base64'), first).filter(
      ({ position }) => position >= range.from && position < range.end,
    ),
  );
}

/** How many rows a dataset has stored by now. */
export async function countRows(orm: Orm, datasetId: string): Promise<number> {
  const [found] = await orm
    .select({ end: max(sql<number>`${rowBlocks.first_position} + ${rowBlocks.row_count}`) })
    .from(rowBlocks)
    .where(eq(rowBlocks.dataset_id, datasetId));
  return Number(found?.end ?? 0);
}
