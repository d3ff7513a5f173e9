// One analysis: rows are read page by page, their tokens counted, and looked through in a thread.
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { Orm } from '#service/database/database.ts';
import type { Asks } from '#service/threads/threadRequests.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRowPage } from '#features/datasets/server/rows/rowStore.ts';
import { readMarks } from '#features/datasets/server/rowEdits.ts';
import { openRowsView } from '#features/datasets/server/datasetRowSet.ts';
import type { RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { openTokenCounts, type TokenCounts } from './tokenCounts.ts';
import type { AnalysedRow, AnalysisResult, AnalysisThread } from './analysisEntry.ts';

/** What was counted and found. */
export interface Figures {
  readonly result: AnalysisResult;
  /** null: no base model was named. */
  readonly tokens: TokenCounts | null;
}

/** Positions among which tokens are counted of all rows or none. */
const PAGE = BLOCK_ROWS * 4;

interface AnalysisWork {
  readonly owner: RowsOf;
  /** Whose tokens are counted; null: none. */
  readonly model: string | null;
  /** Of before the last change: tokens that they know are not lost while they are counted again. */
  readonly figures: Figures | null;
  /** 0 to 1, which is written while it runs. */
  progress: number;
}

type View = Awaited<ReturnType<typeof openRowsView>>;

/** The next rows from a position on, without those that are of no concern, and where others begin. */
async function readPage(
  orm: Orm,
  view: View,
  from: number,
): Promise<{ readonly rows: AnalysedRow[]; readonly next: number }> {
  const { rows, next } = await readRowPage(orm, view.datasetId, { from, end: view.end });
  const marks = await readMarks(orm, view.datasetId, { from, end: next });
  const analysed = rows.flatMap((row): AnalysedRow[] => {
    const side = view.sideOf(row);
    const mark = marks.get(row.position);
    // Rows that were set aside are no trouble any more.
    if (side === undefined || (!view.isFrozen && mark?.is_set_aside === true)) return [];
    const text = view.textOf(row, mark);
    const hash = text === row.text ? row.hash : (mark?.edited_hash ?? row.hash);
    return [{ position: row.position, text, hash, side, tokens: null }];
  });
  return { rows: analysed, next };
}

/** `ask`: a thread that does nothing else meanwhile. Throws DataProblem 404. */
export async function analyseRows(
  orm: Orm,
  views: Pick<RowViews, 'count'>,
  { ask }: Pick<Asks<AnalysisThread>, 'ask'>,
  work: AnalysisWork,
): Promise<Figures> {
  const { owner, model, figures } = work;
  const view = await openRowsView(orm, owner);
  const before = figures?.tokens?.toKnown() ?? null;
  const pages = { end: view.end, pages: Math.ceil(view.end / PAGE), before };
  const tokens = model === null ? null : openTokenCounts(views, model, pages);
  for (let from = 0; from < view.end;) {
    const { rows, next } = await readPage(orm, view, from);
    const counted = tokens ? await tokens.count(Math.floor(from / PAGE), rows) : rows;
    await ask('add', counted, tokens?.context ?? null);
    from = next;
    work.progress = (from / view.end) * 0.5;
  }
  for (;;) {
    const step = await ask('finishStep');
    if (typeof step !== 'number') return { result: step, tokens };
    work.progress = 0.5 + step / 2;
  }
}
