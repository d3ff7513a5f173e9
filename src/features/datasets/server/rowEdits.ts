// What people did to rows: set aside, tagged, edited. A row itself never changes.
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { MarksMade, MarksRequest, RowMarks } from '#features/datasets/shared/contract/rows.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { cleanNulls } from '#features/datasets/shared/nullArguments.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import type { Orm } from '#service/database/database.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRows, type Positions } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, rowMarks } from '#service/database/tables.ts';
import { DataProblem } from './dataProblem.ts';
import { lockDataset } from './datasets.ts';

export interface RowMark {
  readonly position: number;
  readonly is_set_aside: boolean;
  readonly tags: readonly string[];
  /** The row as it was edited, as JSON. */
  readonly edited: string | null;
  readonly edited_hash: string | null;
}

/** By position; all of the dataset, or those of a range. */
export async function readMarks(orm: Orm, datasetId: string, range?: Positions): Promise<Map<number, RowMark>> {
  const isWanted = and(
    eq(rowMarks.dataset_id, datasetId),
    range && and(gte(rowMarks.position, range.from), lt(rowMarks.position, range.end)),
  );
  const rows = await orm.select().from(rowMarks).where(isWanted);
  return new Map(rows.map((row) => [row.position, row]));
}

/** Tags that are told of a dataset, the most frequent ones. */
const MOST_TAGS = 1_000;

/** What was done to the rows of a dataset, in numbers. */
export async function countMarks(
  orm: Orm,
  datasetId: string,
): Promise<{ set_aside: number; edited: number; tags: { name: string; count: number }[] }> {
  const isOwn = eq(rowMarks.dataset_id, datasetId);
  const [found] = await orm
    .select({
      set_aside: sql<number>`count(*) filter (where ${rowMarks.is_set_aside})::integer`,
      edited: sql<number>`count(${rowMarks.edited_hash})::integer`,
    })
    .from(rowMarks)
    .where(isOwn);
  const name = sql<string>`jsonb_array_elements_text(${rowMarks.tags})`;
  const tags = await orm
    .select({ name, count: sql<number>`count(*)::integer` })
    .from(rowMarks)
    .where(isOwn)
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`)
    .limit(MOST_TAGS);
  return { set_aside: found?.set_aside ?? 0, edited: found?.edited ?? 0, tags };
}

const none = (position: number): RowMark => ({
  position,
  is_set_aside: false,
  tags: [],
  edited: null,
  edited_hash: null,
});

const isEmpty = ({ is_set_aside, tags, edited }: RowMark): boolean =>
  !is_set_aside && tags.length === 0 && edited === null;

function toEdited(row: object | null): Pick<RowMark, 'edited' | 'edited_hash'> {
  if (row === null) return { edited: null, edited_hash: null };
  const read = toChatRow({ number: 1, text: JSON.stringify(row) }, 'chat');
  if (!read.ok)
    throw new DataProblem(400, `row can not be a row: ${read.problem.message}`, { param: 'row', code: 'invalid_row' });
  return { edited: read.text, edited_hash: toContentHash(read.text) };
}

const withAside = (mark: RowMark, is_set_aside: boolean): RowMark => ({ ...mark, is_set_aside });

const withoutNul = (tag: string): string => tag.replaceAll('\0', '');

function toTags(old: readonly string[], tag: string, isTagged: boolean): readonly string[] {
  const others = old.filter((each) => each !== tag);
  return isTagged ? [...others, tag] : others;
}

const without = (tags: readonly string[], others: readonly string[]): readonly string[] =>
  tags.filter((tag) => !others.includes(tag));

/** Whether others have edited a row since the change that is undone, which edited it too. */
const isEditedSince = (now: RowMark, before: RowMark, after: RowMarks['after']): boolean =>
  after !== undefined && before.edited_hash !== after.edited_hash && now.edited_hash !== after.edited_hash;

/** Takes a change back, and leaves what others have changed since. */
function toRestored(now: RowMark, before: RowMark, after: RowMarks['after']): RowMark {
  if (after === undefined) return before;
  const wasEdited = before.edited_hash !== after.edited_hash;
  const source = wasEdited && !isEditedSince(now, before, after) ? before : now;
  const gone = without(after.tags, before.tags);
  return {
    position: now.position,
    is_set_aside: now.is_set_aside === after.is_set_aside ? before.is_set_aside : now.is_set_aside,
    tags: [...without(now.tags, gone), ...without(without(before.tags, after.tags), now.tags)],
    edited: source.edited,
    edited_hash: source.edited_hash,
  };
}

const toBefore = ({ position, is_set_aside, tags, edited }: RowMarks): RowMark => ({
  position,
  is_set_aside,
  tags: tags.map(withoutNul),
  ...toEdited(edited),
});

function toCleaned(mark: RowMark, text: string | undefined): RowMark {
  const row = text === undefined ? null : (JSON.parse(text) as ChatRow);
  const cleaned = row && cleanNulls(row);
  return cleaned === row ? mark : { ...mark, ...toEdited(cleaned) };
}

/** The texts of rows as they count now, by position. */
async function readTexts(
  orm: Orm,
  datasetId: string,
  positions: readonly number[],
  known: ReadonlyMap<number, RowMark>,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const sorted = positions.toSorted((a, b) => a - b);
  for (let at = 0; at < sorted.length;) {
    const from = sorted[at] ?? 0;
    const range = { from, end: from + BLOCK_ROWS };
    const wanted = new Set(sorted.filter((position) => position >= from && position < range.end));
    for (const { position, text } of await readRows(orm, datasetId, range))
      if (wanted.has(position)) texts.set(position, known.get(position)?.edited ?? text);
    at += wanted.size;
  }
  return texts;
}

/** The marks that rows shall have. `old`: those that they have. `textOf`: of rows that are cleaned. */
function toChanged(
  request: MarksRequest,
  old: (position: number) => RowMark,
  textOf: (position: number) => string | undefined,
): RowMark[] {
  switch (request.change) {
    case 'set_aside': {
      const { positions, is_set_aside } = request;
      return positions.map((position) => withAside(old(position), is_set_aside));
    }
    case 'tag': {
      const tag = withoutNul(request.tag);
      return request.positions.map((position) => {
        const mark = old(position);
        return { ...mark, tags: toTags(mark.tags, tag, request.is_tagged) };
      });
    }
    case 'clean_nulls':
      return request.positions.map((position) => toCleaned(old(position), textOf(position)));
    case 'edit':
      return [{ ...old(request.position), ...toEdited(request.row) }];
    case 'restore':
      return request.rows.map((row) => toRestored(old(row.position), toBefore(row), row.after));
    default:
      return request satisfies never;
  }
}

const isSame = (a: RowMark, b: RowMark): boolean =>
  a.is_set_aside === b.is_set_aside && a.edited === b.edited && JSON.stringify(a.tags) === JSON.stringify(b.tags);

/** Whether the rows are others than before: tags change none. */
const isOther = (a: RowMark, b: RowMark): boolean => a.is_set_aside !== b.is_set_aside || a.edited !== b.edited;

const toUndo = ({ position, is_set_aside, tags, edited }: RowMark, after: RowMark): RowMarks => ({
  position,
  is_set_aside,
  tags: [...tags],
  edited: edited === null ? null : (JSON.parse(edited) as Record<string, unknown>),
  after: { is_set_aside: after.is_set_aside, tags: [...after.tags], edited_hash: after.edited_hash },
});

const toRecord = (dataset_id: string, mark: RowMark) => ({ ...mark, dataset_id, tags: [...mark.tags] });

/** Rows of one statement. */
const BATCH = 1000;

async function writeMarks(orm: Orm, dataset_id: string, marks: readonly RowMark[]): Promise<void> {
  for (let at = 0; at < marks.length; at += BATCH) {
    const batch = marks.slice(at, at + BATCH);
    const positions = batch.map(({ position }) => position);
    await orm.delete(rowMarks).where(and(eq(rowMarks.dataset_id, dataset_id), inArray(rowMarks.position, positions)));
    const kept = batch.filter((mark) => !isEmpty(mark));
    if (kept.length > 0) await orm.insert(rowMarks).values(kept.map((mark) => toRecord(dataset_id, mark)));
  }
}

/** Marks rows and says how to take it back. Throws DataProblem. */
export async function changeMarks(orm: Orm, datasetId: string, request: MarksRequest, now: Date): Promise<MarksMade> {
  return orm.transaction(async (transaction) => {
    const { datapoints_count } = await lockDataset(transaction, datasetId);
    const known = await readMarks(transaction, datasetId);
    const old = (position: number): RowMark => known.get(position) ?? none(position);
    const texts =
      request.change === 'clean_nulls'
        ? await readTexts(transaction, datasetId, [...new Set(request.positions)], known)
        : new Map<number, string>();
    const wanted = new Map(
      toChanged(request, old, (position) => texts.get(position)).map((mark) => [mark.position, mark]),
    );
    const beyond = [...wanted.keys()].find((position) => position >= datapoints_count);
    if (beyond !== undefined)
      throw new DataProblem(
        400,
        `The dataset has no row at position ${beyond}: its rows are 0 to ${datapoints_count - 1}.`,
        {
          param: request.change === 'edit' ? 'position' : 'positions',
          code: 'no_such_row',
        },
      );
    const changed = [...wanted.values()].filter((mark) => !isSame(mark, old(mark.position)));
    const full = changed.find(({ tags }) => tags.length > DATA_LIMITS.tags);
    if (full)
      throw new DataProblem(
        409,
        `The row at position ${full.position} has ${DATA_LIMITS.tags} tags, which is the most. Remove one of them first. Nothing was changed.`,
        { code: 'too_many_tags' },
      );
    await writeMarks(transaction, datasetId, changed);
    const isOtherData = changed.some((mark) => isOther(mark, old(mark.position)));
    if (changed.length > 0)
      await transaction
        .update(datasets)
        .set({ updated_at: now, ...(isOtherData && { marks_revision: sql`${datasets.marks_revision} + 1` }) })
        .where(eq(datasets.id, datasetId));
    const rows = changed.map((mark) => toUndo(old(mark.position), mark));
    const kept =
      request.change === 'restore'
        ? request.rows.filter((row) => isEditedSince(old(row.position), toBefore(row), row.after)).length
        : 0;
    return { changed: changed.length, kept, undo: { change: 'restore', rows } };
  });
}
