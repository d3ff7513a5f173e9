// A page of the table of rows: of a dataset or snapshot, by position, with filters. A search reads only blocks that may
// hold its words, and answers after a short time with what it has found.
import { and, eq, gte, isNotNull, sql, type SQL } from 'drizzle-orm';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { RowPage } from '#features/datasets/shared/contract/rows.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toMatcher, type Matcher } from '#features/datasets/shared/searchQuery.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { mayHold, toWantedBits, GRAM_BYTES } from '#features/datasets/server/rows/grams.ts';
import { readBlockText, type PlacedRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { readBlockTexts, type BlockPlace } from '#features/datasets/server/rows/rowStore.ts';
import { rowMarks } from '#service/database/tables.ts';
import type { BlockIndex } from './blockIndexes.ts';
import { DataProblem } from './dataProblem.ts';
import { readMarks, type RowMark } from './rowEdits.ts';
import { hasAny, intersect, isIn } from './sortedPositions.ts';
import { toSummary } from './rowSummary.ts';
import { openRowsView } from './datasetRowSet.ts';

export interface TableQuestion {
  readonly from: number;
  readonly limit: number;
  readonly search: string;
  readonly finding: string | null;
  readonly tag: string | null;
  readonly side: RowBucket | null;
  readonly mark: 'set_aside' | 'edited' | null;
  /** null: at any place. */
  readonly positions: readonly number[] | null;
}

export interface TableDeps {
  readonly database: Database;
  /** The newest index of a dataset's blocks. */
  readonly indexOf: (datasetId: string, end: number) => Promise<BlockIndex>;
  /** Positions of the rows with a finding, in order; null: they are not known yet. */
  readonly findingRows: (owner: RowsOf, finding: string) => Uint32Array | null;
  /** The rows that those with a finding were compared with; null: none. */
  readonly otherOf: (owner: RowsOf, finding: string) => (position: number) => number | null;
  /** Tokens of rows by the base model that was asked for last; null: not counted. */
  readonly tokensOf: (owner: RowsOf) => (position: number) => number | null;
  /** Milliseconds that a page may take to search. */
  readonly searchMs?: number;
}

/** Blocks that are read together: a page is rarely in more. */
const BLOCKS = 4;
const SEARCH_MS = 150;

/** The positions of marks, in order. As one value: the embedded database takes several times as long for as many rows. */
async function readPositions(orm: Orm, where: SQL | undefined): Promise<Uint32Array> {
  const [found] = await orm
    .select({ all: sql<number[] | null>`json_agg(${rowMarks.position} order by ${rowMarks.position})` })
    .from(rowMarks)
    .where(where);
  return Uint32Array.from(found?.all ?? []);
}

/** Positions of rows with a tag or mark, in order; null: neither is asked for. */
async function readMarked(
  orm: Orm,
  datasetId: string,
  { tag, mark, from }: TableQuestion,
): Promise<Uint32Array | null> {
  if (tag === null && mark === null) return null;
  return readPositions(
    orm,
    and(
      eq(rowMarks.dataset_id, datasetId),
      gte(rowMarks.position, from),
      tag === null ? undefined : sql`${rowMarks.tags} @> ${JSON.stringify([tag])}::jsonb`,
      mark === 'set_aside' ? eq(rowMarks.is_set_aside, true) : undefined,
      mark === 'edited' ? isNotNull(rowMarks.edited) : undefined,
    ),
  );
}

function toParsedSearch(search: string): Matcher | null {
  if (search.trim() === '') return null;
  const matcher = toMatcher(search);
  if (!matcher.ok) throw new DataProblem(400, matcher.reason, { param: 'search', code: 'invalid_search' });
  return matcher.value;
}

/** The first places of blocks that may hold a row that is wanted, from a position on. */
function toCandidates(
  places: readonly BlockPlace[],
  from: number,
  /** null: no search, or one of which the index knows nothing. */
  search: { readonly grams: Buffer; readonly wanted: readonly number[] } | null,
  only: Uint32Array | null,
  alsoIn: Uint32Array,
): number[] {
  return places.flatMap(({ first, count }, at) => {
    const end = first + count;
    if (end <= from || (only && !hasAny(only, first, end))) return [];
    const may = !search || mayHold(search.grams, at * GRAM_BYTES, search.wanted) || hasAny(alsoIn, first, end);
    return may ? [first] : [];
  });
}

const readEditedPositions = (orm: Orm, datasetId: string): Promise<Uint32Array> =>
  readPositions(orm, and(eq(rowMarks.dataset_id, datasetId), isNotNull(rowMarks.edited)));

const toPlaced = ({ positions }: TableQuestion): Uint32Array | null =>
  positions && Uint32Array.from(new Set(positions)).sort();

/** Throws DataProblem 409. */
function toFindingRows(deps: TableDeps, owner: RowsOf, finding: string, param: string): Uint32Array {
  const found = deps.findingRows(owner, finding);
  if (found) return found;
  throw new DataProblem(409, 'The findings are not known yet. Ask for them, and wait until their state is done.', {
    param,
    code: 'findings_running',
  });
}

/**
 * Throws DataProblem: 404, 400 for a search that can't be read, 409 for a finding that is not known yet. Rejects when it is
 * aborted.
 */
export async function readRowPage(
  deps: TableDeps,
  owner: RowsOf,
  question: TableQuestion,
  signal?: AbortSignal,
): Promise<RowPage> {
  const { database, searchMs = SEARCH_MS } = deps;
  const { orm } = database;
  const view = await openRowsView(orm, owner);
  const matcher = toParsedSearch(question.search);
  const limit = Math.min(Math.max(1, question.limit), DATA_LIMITS.page);
  const found = question.finding === null ? null : toFindingRows(deps, owner, question.finding, 'finding');
  const searched = (matcher?.findings ?? []).map(({ id, isNot }) => {
    return { id, isNot, positions: toFindingRows(deps, owner, id, 'search') };
  });
  const needed = searched.filter(({ isNot }) => !isNot).map(({ positions }) => positions);
  const marked = await readMarked(orm, view.datasetId, question);
  const only = intersect([found, marked, toPlaced(question), ...needed].filter((list) => list !== null));
  const wanted = matcher ? [...new Set(matcher.words.flatMap((word) => toWantedBits(word)))] : [];
  const edited = wanted.length > 0 ? await readEditedPositions(orm, view.datasetId) : new Uint32Array();
  const index = await deps.indexOf(view.datasetId, view.end);
  const search = wanted.length > 0 ? { grams: await index.readGrams(), wanted } : null;
  const candidates = toCandidates(index.places, question.from, search, only, edited);
  const isFiltered = matcher !== null || only !== null || question.side !== null;
  const page = { rows: [] as RowPage['rows'], next: null as number | null };
  const until = performance.now() + searchMs;
  const tokensOf = deps.tokensOf(owner);
  const otherOf = question.finding === null ? () => null : deps.otherOf(owner, question.finding);

  /** True once the page is full. */
  function addRow(row: PlacedRow, mark: RowMark | undefined): boolean {
    const side = view.sideOf(row);
    if (side === undefined || (question.side !== null && side !== question.side)) return false;
    if (only && !isIn(only, row.position)) return false;
    const text = view.textOf(row, mark);
    if (matcher && !matcher.mayMatch(text)) return false;
    const chat = JSON.parse(text) as ChatRow;
    if (matcher) {
      const findings = searched.filter(({ positions }) => isIn(positions, row.position)).map(({ id }) => id);
      const facts = { tags: mark?.tags ?? [], findings, side, tokens: tokensOf(row.position) };
      const isEdited = mark?.edited != null;
      if (!matcher.matches({ ...facts, row: chat, isAside: mark?.is_set_aside ?? false, isEdited })) return false;
    }
    if (page.rows.length >= limit) {
      page.next = row.position;
      return true;
    }
    const facts = { mark, side, tokens: tokensOf(row.position), other: otherOf(row.position) };
    page.rows.push(toSummary(row, chat, { ...facts, words: matcher?.words ?? [], isFrozen: view.isFrozen }));
    return false;
  }

  search: for (let at = 0; at < candidates.length; at += BLOCKS) {
    const firsts = candidates.slice(at, at + BLOCKS);
    const first = firsts[0] ?? 0;
    if (first >= view.end) break;
    signal?.throwIfAborted();
    if (at > 0 && performance.now() > until) {
      page.next = first;
      break;
    }
    const blocks = await readBlockTexts(database, view.datasetId, firsts);
    const marks = await readMarks(orm, view.datasetId, { from: first, end: (firsts.at(-1) ?? 0) + 256 });
    for (const block of blocks) {
      for (const row of readBlockText(block.text, block.first)) {
        if (row.position < question.from) continue;
        if (row.position >= view.end) break search;
        if (addRow(row, marks.get(row.position))) break search;
      }
    }
  }
  // A search comes next, mostly.
  index.warm();
  const isWhole = page.next === null && question.from === 0;
  return {
    total: view.end,
    rows: page.rows,
    next: page.next,
    found: isFiltered ? (isWhole ? page.rows.length : null) : view.end,
  };
}
