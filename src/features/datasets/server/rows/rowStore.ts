// Blocks of rows in the database. Bytes go as base64 in statements, which the embedded database reads seven times as
// quickly as bytea, and by COPY where it can.
import { setImmediate } from 'node:timers/promises';
import { and, asc, desc, eq, gt, gte, inArray, lt, max, sql } from 'drizzle-orm';
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

const toPlace = (first: Buffer | null | undefined, count: Buffer | null | undefined): BlockPlace => ({
  first: first?.readInt32BE() ?? 0,
  count: count?.readInt32BE() ?? 0,
});

/** Throws for a text that is no UUID. */
function toUuid(id: string): string {
  if (!isUuid(id)) throw new Error('A dataset has a UUID.');
  return id;
}

/** Where the blocks of a dataset are, in order. `datasetId` must be a UUID: it becomes a part of the statement. */
export async function readBlockPlaces({ orm, copy }: Database, datasetId: string): Promise<readonly BlockPlace[]> {
  if (!copy)
    return orm
      .select({ first: rowBlocks.first_position, count: rowBlocks.row_count })
      .from(rowBlocks)
      .where(eq(rowBlocks.dataset_id, datasetId))
      .orderBy(asc(rowBlocks.first_position));
  const found = readCopy(
    await copy.out(
      `select first_position, row_count from studio.row_blocks where dataset_id = '${toUuid(datasetId)}' ` +
        'order by first_position',
    ),
  );
  return found.map(([first, count]) => toPlace(first, count));
}

/** Blocks whose grams are read at once. The embedded database takes some 20 ms, in which nothing else goes on. */
const GRAMS_AT_ONCE = 256;

/** Their grams, by `first_position`. */
async function readSomeGrams({ orm, copy }: Database, datasetId: string, { from, end }: Positions) {
  if (copy) {
    const found = readCopy(
      await copy.out(
        `select first_position, grams from studio.row_blocks where dataset_id = '${toUuid(datasetId)}' ` +
          `and first_position >= ${Math.trunc(from)} and first_position < ${Math.trunc(end)}`,
      ),
    );
    return found.map(([first, grams]) => ({ first: first?.readInt32BE() ?? -1, grams: grams ?? Buffer.alloc(0) }));
  }
  const rows = await orm
    .select({ first: rowBlocks.first_position, grams: sql<string>`encode(${rowBlocks.grams}, 'base64')` })
    .from(rowBlocks)
    .where(
      and(eq(rowBlocks.dataset_id, datasetId), gte(rowBlocks.first_position, from), lt(rowBlocks.first_position, end)),
    );
  return rows.map(({ first, grams }) => ({ first, grams: Buffer.from(grams, 'base64') }));
}

/** The grams of blocks, one after the other. Of a block that is gone meanwhile they say that it may hold anything. */
export async function readGrams(database: Database, datasetId: string, places: readonly BlockPlace[]): Promise<Buffer> {
  const all = Buffer.alloc(places.length * GRAM_BYTES, 0xff);
  for (let at = 0; at < places.length; at += GRAMS_AT_ONCE) {
    const some = places.slice(at, at + GRAMS_AT_ONCE);
    const range = { from: some[0]?.first ?? 0, end: (some.at(-1)?.first ?? 0) + 1 };
    const found = new Map((await readSomeGrams(database, datasetId, range)).map(({ first, grams }) => [first, grams]));
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
  { orm, copy }: Database,
  datasetId: string,
  firsts: readonly number[],
): Promise<readonly PackedBlock[]> {
  if (firsts.length === 0) return [];
  if (copy) {
    const list = firsts.map(Math.trunc).join(', ');
    const found = readCopy(
      await copy.out(
        `select first_position, body from studio.row_blocks where dataset_id = '${toUuid(datasetId)}' ` +
          `and first_position in (${list}) order by first_position`,
      ),
    );
    return found.map(([first, body]) => ({ first: first?.readInt32BE() ?? 0, body: body ?? Buffer.alloc(0) }));
  }
  const rows = await orm
    .select({ first: rowBlocks.first_position, body: sql<string>`encode(${rowBlocks.body}, 'base64')` })
    .from(rowBlocks)
    .where(and(eq(rowBlocks.dataset_id, datasetId), inArray(rowBlocks.first_position, [...firsts])))
    .orderBy(asc(rowBlocks.first_position));
  return rows.map(({ first, body }) => ({ first, body: Buffer.from(body, 'base64') }));
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
