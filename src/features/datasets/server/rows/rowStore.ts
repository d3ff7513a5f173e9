// Blocks of rows in the database. Bytes go as base64 in statements, which the embedded database reads seven times as
// quickly as bytea, and by COPY where it can.
import { setImmediate } from 'node:timers/promises';
import { and, asc, desc, eq, gt, gte, lt, max, sql } from 'drizzle-orm';
import type { Database, Orm } from '#service/database/database.ts';
import { rowBlocks } from '#service/database/tables.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { readCopy, toCopyParts, toCopyTuple, toUuidBytes } from './binaryCopy.ts';
import { GRAM_BYTES } from './grams.ts';
import { BLOCK_ROWS, inflateBlock, readBlock, type PlacedRow, type RowBlock } from './rowBlocks.ts';

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

/** Inserts blocks at once, outside of any transaction, the quickest way that the database has. */
export async function copyBlocks(
  { orm, copy }: Database,
  dataset_id: string,
  first: number,
  blocks: readonly RowBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  if (!copy) return orm.transaction((transaction) => insertBlocks(transaction, dataset_id, first, blocks));
  let first_position = first;
  const tuples = blocks.map(({ row_count, body, grams }) => {
    const tuple = toCopyTuple([toUuidBytes(dataset_id), first_position, row_count, body, grams]);
    first_position += row_count;
    return tuple;
  });
  await copy.in('studio.row_blocks (dataset_id, first_position, row_count, body, grams)', toCopyParts(tuples));
}

/** Blocks that hold rows of a range. */
const isOf = (datasetId: string, { from, end }: Positions) =>
  and(
    eq(rowBlocks.dataset_id, datasetId),
    gt(rowBlocks.first_position, from - BLOCK_ROWS),
    lt(rowBlocks.first_position, end),
    gt(sql`${rowBlocks.first_position} + ${rowBlocks.row_count}`, from),
  );

/**
 * The rows of a small range, in order; those that are not there are left out. Reads whole blocks; with `blocks` it gives all
 * rows of those.
 */
export async function readRows(
  orm: Orm,
  datasetId: string,
  range: Positions,
  which: 'rows' | 'blocks' = 'rows',
): Promise<PlacedRow[]> {
  if (range.end <= range.from) return [];
  const found = await orm
    .select({ first: rowBlocks.first_position, body: sql<string>`encode(${rowBlocks.body}, 'base64')` })
    .from(rowBlocks)
    .where(isOf(datasetId, range))
    .orderBy(asc(rowBlocks.first_position));
  const rows = found.flatMap(({ first, body }) => readBlock(Buffer.from(body, 'base64'), first));
  return which === 'blocks' ? rows : rows.filter(({ position }) => position >= range.from && position < range.end);
}

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; the end of the range if there is none. */
  readonly next: number;
}

/** Blocks of a page: four hold a thousand usual rows, or four of the longest ones, some 64 MB. */
const PAGE_BLOCKS = 4;

/** The first rows of a range, in order: those of a few blocks, however long rows are. Whoever reads many reads page after page. */
export async function readRowPage(orm: Orm, datasetId: string, { from, end }: Positions): Promise<PageOf<PlacedRow>> {
  if (end <= from) return { rows: [], next: end };
  const found = await orm
    .select({
      first: rowBlocks.first_position,
      count: rowBlocks.row_count,
      body: sql<string>`encode(${rowBlocks.body}, 'base64')`,
    })
    .from(rowBlocks)
    .where(isOf(datasetId, { from, end }))
    .orderBy(asc(rowBlocks.first_position))
    .limit(PAGE_BLOCKS);
  const rows = found.flatMap(({ first, body }) => readBlock(Buffer.from(body, 'base64'), first));
  const last = found.at(-1);
  return {
    rows: rows.filter(({ position }) => position >= from && position < end),
    next: found.length < PAGE_BLOCKS || !last ? end : Math.min(end, last.first + last.count),
  };
}

/** Removes the blocks from a position on. */
export async function removeBlocks(orm: Orm, datasetId: string, from: number): Promise<void> {
  await orm.delete(rowBlocks).where(and(eq(rowBlocks.dataset_id, datasetId), gte(rowBlocks.first_position, from)));
}

/** Blocks, and bytes of them, that one statement removes: the embedded database takes some 30 ms for them. */
const REMOVED = { blocks: 128, bytes: 12 * 1024 * 1024 } as const;

/** The position from which on the last blocks of a dataset make up one piece; null: it has no block. */
async function findLastPiece(orm: Orm, datasetId: string): Promise<number | null> {
  const last = await orm
    .select({ first: rowBlocks.first_position, bytes: sql<number>`octet_length(${rowBlocks.body})` })
    .from(rowBlocks)
    .where(eq(rowBlocks.dataset_id, datasetId))
    .orderBy(desc(rowBlocks.first_position))
    .limit(REMOVED.blocks);
  let bytes = 0;
  const piece = last.filter((block, at) => {
    bytes += block.bytes;
    return at === 0 || bytes <= REMOVED.bytes;
  });
  return piece.at(-1)?.first ?? null;
}

/**
 * Removes all blocks of a dataset that nobody reads any more, in pieces between which others have their turn. The last ones
 * go first: their space at the end of the table is given back to the disk. `write`: does one piece.
 */
export async function removeAllBlocks(
  write: (work: (orm: Orm) => Promise<boolean>) => Promise<boolean>,
  datasetId: string,
): Promise<void> {
  const removeLast = async (orm: Orm): Promise<boolean> => {
    const from = await findLastPiece(orm, datasetId);
    if (from !== null) await removeBlocks(orm, datasetId, from);
    return from !== null;
  };
  while (await write(removeLast)) await setImmediate();
}

/** How many rows a dataset has stored by now. */
export async function countRows(orm: Orm, datasetId: string): Promise<number> {
  const [found] = await orm
    .select({ end: max(sql<number>`${rowBlocks.first_position} + ${rowBlocks.row_count}`) })
    .from(rowBlocks)
    .where(eq(rowBlocks.dataset_id, datasetId));
  return Number(found?.end ?? 0);
}

export interface BlockPlace {
  readonly first: number;
  readonly count: number;
}

/** Throws for a text that is no UUID. */
function toUuid(id: string): string {
  if (!isUuid(id)) throw new Error('A dataset has a UUID.');
  return id;
}

interface BlockColumns {
  readonly first_position: number;
  readonly row_count: number;
  readonly body: Buffer;
  readonly grams: Buffer;
}

const isNumber = (column: string): boolean => column === 'first_position' || column === 'row_count';

/**
 * Some columns of the blocks of a dataset, in order, the quickest way that the database has. `datasetId` must be a UUID, and
 * `where` of whole numbers: they become parts of the statement.
 */
async function readColumns<Column extends keyof BlockColumns>(
  { orm, copy }: Database,
  datasetId: string,
  columns: readonly Column[],
  where = 'true',
): Promise<readonly Pick<BlockColumns, Column>[]> {
  const of = `from studio.row_blocks where dataset_id = '${toUuid(datasetId)}' and ${where} order by first_position`;
  const toRow = (toValue: (column: Column, at: number) => unknown) =>
    Object.fromEntries(columns.map((column, at) => [column, toValue(column, at)])) as Pick<BlockColumns, Column>;
  if (copy) {
    const found = readCopy(await copy.out(`select ${columns.join(', ')} ${of}`));
    return found.map((fields) =>
      toRow((column, at) => (isNumber(column) ? fields[at]?.readInt32BE() : (fields[at] ?? Buffer.alloc(0)))),
    );
  }
  const texts = columns.map((column) => (isNumber(column) ? column : `encode(${column}, 'base64') as ${column}`));
  const found: unknown = await orm.execute(sql.raw(`select ${texts.join(', ')} ${of}`));
  const rows = (Array.isArray(found) ? found : (found as { rows: unknown[] }).rows) as Record<string, unknown>[];
  return rows.map((row) =>
    toRow((column) => (isNumber(column) ? Number(row[column]) : Buffer.from(String(row[column]), 'base64'))),
  );
}

/** Where the blocks of a dataset are, in order. */
export async function readBlockPlaces(database: Database, datasetId: string): Promise<readonly BlockPlace[]> {
  const found = await readColumns(database, datasetId, ['first_position', 'row_count']);
  return found.map(({ first_position: first, row_count: count }) => ({ first, count }));
}

/** Blocks whose grams are read at once. The embedded database takes some 20 ms, in which nothing else goes on. */
const GRAMS_AT_ONCE = 256;

/** The grams of blocks, one after the other. Of a block that is gone meanwhile they say that it may hold anything. */
export async function readGrams(database: Database, datasetId: string, places: readonly BlockPlace[]): Promise<Buffer> {
  const all = Buffer.alloc(places.length * GRAM_BYTES, 0xff);
  for (let at = 0; at < places.length; at += GRAMS_AT_ONCE) {
    const some = places.slice(at, at + GRAMS_AT_ONCE);
    const where = `first_position between ${some[0]?.first ?? 0} and ${some.at(-1)?.first ?? 0}`;
    const read = await readColumns(database, datasetId, ['first_position', 'grams'], where);
    const found = new Map(read.map(({ first_position, grams }) => [first_position, grams]));
    for (const [index, { first }] of some.entries()) found.get(first)?.copy(all, (at + index) * GRAM_BYTES);
    // Others have their turn.
    await setImmediate();
  }
  return all;
}

/** A block as it is stored (see inflateBlock). */
export interface PackedBlock {
  /** The position of its first row. */
  readonly first: number;
  readonly body: Buffer;
}

/** Some blocks, in the order of their positions. */
export async function readPackedBlocks(
  database: Database,
  datasetId: string,
  firsts: readonly number[],
): Promise<readonly PackedBlock[]> {
  if (firsts.length === 0) return [];
  const where = `first_position in (${firsts.map(Math.trunc).join(', ')})`;
  const found = await readColumns(database, datasetId, ['first_position', 'body'], where);
  return found.map(({ first_position: first, body }) => ({ first, body }));
}

/** The texts of some blocks (see readBlockText), in the order of their positions. */
export const readBlockTexts = async (
  database: Database,
  datasetId: string,
  firsts: readonly number[],
): Promise<readonly { readonly first: number; readonly text: string }[]> =>
  (await readPackedBlocks(database, datasetId, firsts)).map(({ first, body }) => ({ first, text: inflateBlock(body) }));

/** The texts of so many blocks, from the one with a position on. */
export async function readNextBlocks(
  database: Database,
  datasetId: string,
  position: number,
  limit: number,
): Promise<Awaited<ReturnType<typeof readBlockTexts>>> {
  const found = await database.orm
    .select({ first: rowBlocks.first_position })
    .from(rowBlocks)
    .where(isOf(datasetId, { from: position, end: position + BLOCK_ROWS * limit }))
    .orderBy(asc(rowBlocks.first_position))
    .limit(limit);
  return readBlockTexts(
    database,
    datasetId,
    found.map(({ first }) => first),
  );
}
