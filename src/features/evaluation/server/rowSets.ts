// The rows of evaluations in the database: blocks of rows, compressed, because rows have much in common.
import { randomUUID } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRow, PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { RowSource } from '#features/evaluation/shared/contract/evaluations.ts';
import type { Orm } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { rowBlocks, rowSets } from './evaluationTables.ts';
import { toTagColumns, type TagColumns } from './evaluationRows.ts';

/** Rows of a block; verdicts are stored by the same blocks. */
export const BLOCK_ROWS = 256;

/** Where the block of a row begins. */
export const toFirst = (position: number): number => position - (position % BLOCK_ROWS);

const QUALITY = 4;

const pack = (texts: readonly string[]): string =>
  brotliCompressSync(texts.join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }).toString('base64');

const unpack = (body: string, first: number): PlacedEvaluationRow[] =>
  brotliDecompressSync(Buffer.from(body, 'base64'))
    .toString('utf8')
    .split('\n')
    .map((text, at) => Object.assign({ position: first + at }, JSON.parse(text) as EvaluationRow));

/** Stores rows as a set of their own, and gives its id. Throws HttpProblem 413 for too much text. */
export async function insertRowSet(
  orm: Orm,
  evaluation_id: string,
  source: RowSource,
  rows: readonly EvaluationRow[],
): Promise<string> {
  const texts = rows.map((row) => JSON.stringify(row));
  const characters = texts.reduce((total, { length }) => total + length, 0);
  if (characters > EVALUATION_LIMITS.rowsCharacters)
    throw new HttpProblem(
      413,
      `The rows have ${characters.toLocaleString('en')} characters as JSON, and an evaluation keeps at most ` +
        `${EVALUATION_LIMITS.rowsCharacters.toLocaleString('en')}. Take fewer or shorter rows.`,
      { param: 'rows', code: 'rows_too_large' },
    );
  const id = randomUUID();
  const tags = JSON.stringify(toTagColumns(rows));
  await orm.insert(rowSets).values({ id, evaluation_id, source, row_count: rows.length, tags });
  let bytes = 0;
  for (let first = 0; first < texts.length; first += BLOCK_ROWS) {
    const body = pack(texts.slice(first, first + BLOCK_ROWS));
    bytes += Buffer.byteLength(body, 'base64');
    await orm.insert(rowBlocks).values({ row_set_id: id, first_position: first, body: sql`decode(${body}, 'base64')` });
  }
  await orm.update(rowSets).set({ bytes }).where(eq(rowSets.id, id));
  return id;
}

const bodyText = sql<string>`encode(${rowBlocks.body}, 'base64')`;

/** The rows of a block. */
export async function readBlock(orm: Orm, rowSetId: string, first: number): Promise<readonly PlacedEvaluationRow[]> {
  const [found] = await orm
    .select({ body: bodyText })
    .from(rowBlocks)
    .where(and(eq(rowBlocks.row_set_id, rowSetId), eq(rowBlocks.first_position, first)));
  return found ? unpack(found.body, first) : [];
}

/** The rows from a position up to another one, in order. */
export async function readRows(
  orm: Orm,
  rowSetId: string,
  from: number,
  end: number,
): Promise<readonly PlacedEvaluationRow[]> {
  const found = await orm
    .select({ first: rowBlocks.first_position, body: bodyText })
    .from(rowBlocks)
    .where(
      and(
        eq(rowBlocks.row_set_id, rowSetId),
        gte(rowBlocks.first_position, toFirst(from)),
        lt(rowBlocks.first_position, end),
      ),
    )
    .orderBy(asc(rowBlocks.first_position));
  return found
    .flatMap(({ first, body }) => unpack(body, first))
    .filter(({ position }) => position >= from && position < end);
}

/** Rows at some positions, in the order of these. */
export async function readRowsAt(
  orm: Orm,
  rowSetId: string,
  positions: readonly number[],
): Promise<readonly PlacedEvaluationRow[]> {
  const firsts = [...new Set(positions.map(toFirst))];
  if (firsts.length === 0) return [];
  const found = await orm
    .select({ first: rowBlocks.first_position, body: bodyText })
    .from(rowBlocks)
    .where(and(eq(rowBlocks.row_set_id, rowSetId), inArray(rowBlocks.first_position, firsts)));
  const rows = new Map(found.flatMap(({ first, body }) => unpack(body, first)).map((row) => [row.position, row]));
  return positions.flatMap((position) => rows.get(position) ?? []);
}

export async function readTagColumns(orm: Orm, rowSetId: string): Promise<TagColumns> {
  const [found] = await orm.select({ tags: rowSets.tags }).from(rowSets).where(eq(rowSets.id, rowSetId));
  return JSON.parse(found?.tags ?? '{}') as TagColumns;
}
