// Analyses of rows in the background: begun by the first question, one at a time for each caller, kept while the rows stay the
// same and somebody asks.
import { eq } from 'drizzle-orm';
import { openThread } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import { openSpares } from '#service/threads/idleThreads.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { FindingList, Statistics } from '#features/datasets/shared/contract/rows.ts';
import { openStatistics } from '#features/datasets/shared/statistics.ts';
import { QueueBounds } from '#engine/queueBounds.ts';
import { SlotPool } from '#engine/slotPool.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRowPage } from '#features/datasets/server/rows/rowStore.ts';
import { datasets } from '#service/database/tables.ts';
import { countMarks, readMarks } from '#features/datasets/server/rowEdits.ts';
import { openRowsView } from '#features/datasets/server/datasetRowSet.ts';
import { checkModel } from '#features/datasets/server/modelViewAnswers.ts';
import { findPlace } from '#features/datasets/server/sortedPositions.ts';
import type { RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { openTokenCounts, type TokenCounts } from './tokenCounts.ts';
import type { AnalysedRow, AnalysisResult, AnalysisThread } from './analysisEntry.ts';
import { toFinding, toGroup } from './foundRows.ts';

/** What was counted and found. */
interface Figures {
  readonly result: AnalysisResult;
  /** null: no base model was named. */
  readonly tokens: TokenCounts | null;
}

interface Analysis {
  /** Of the rows: another one whenever they change. Tags change nothing. */
  readonly key: string;
  /** It is `running` while it waits for its turn, too. */
  state: 'running' | 'done' | 'failed';
  isBegun: boolean;
  /** When somebody last asked for it, on the clock `now`, and whether somebody has heard of its end. */
  askedAt: number;
  isTold: boolean;
  /** Callers among whose turns its own is: the first of them counts. */
  readonly callers: Set<string>;
  progress: number;
  error: string | null;
  /** Until it is done, those of before the last change. null: there are none yet. */
  figures: Figures | null;
  readonly owner: RowsOf;
  readonly model: string | null;
  /** Aborted when it waits no more. */
  readonly waiting: AbortController;
  stop: () => void;
}

export interface Analyses {
  /**
   * Begins the work if it has not begun for these rows. `model`: whose tokens are counted; null: those that were asked for
   * last, or none. `caller`: whose turn it takes. Throws DataProblem 404, EngineError 429 where too much of a caller waits.
   */
  findings(owner: RowsOf, model: string | null, caller: string): Promise<FindingList>;
  /** `context`: for which cuts are told; null: the model's own. */
  statistics(owner: RowsOf, model: string | null, context: number | null, caller: string): Promise<Statistics>;
  /** By the base model that was asked for last; of rows that have changed since those of before. null: not counted. */
  tokensOf(owner: RowsOf): (position: number) => number | null;
  /** Positions in order; null: not known yet, or the rows have changed. */
  rowsOf(owner: RowsOf, finding: string): Uint32Array | null;
  /** The row that a row with a finding was compared with; null: there is none, or it is not known. */
  otherOf(owner: RowsOf, finding: string): (position: number) => number | null;
  /** The findings of one row that are known. */
  findingsOf(owner: RowsOf, position: number): readonly { kind: string; about: string; others: number[] }[];
  close(): Promise<void>;
}

/** Positions among which tokens are counted of all rows or none. */
const PAGE = BLOCK_ROWS * 4;
/** Analyses at a time, of one caller and in all, and those that may wait. */
const AT_ONCE = { perCaller: 1, inAll: 2 };
const WAITING = { perCaller: 256, inAll: 1024 };
/** What nobody has asked for in this time is dropped before its turn comes. */
const FORGET_MS = 60_000;
/** Bytes of all results that are kept, roughly, and of one without its lists. */
const MAX_KEPT = 128 * 1024 * 1024;
const RESULT_BYTES = 64 * 1024;

const toName = ({ kind, id }: RowsOf, model: string | null): string => `${kind} ${id} ${model ?? ''}`;
/** What a result takes in memory, roughly. */
function toBytes({ figures }: Analysis): number {
  const lists = [...(figures?.result.rows.values() ?? []), ...(figures?.result.others.values() ?? [])];
  return RESULT_BYTES + (figures?.tokens?.bytes ?? 0) + lists.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

export interface AnalysesOptions {
  readonly waiting?: typeof WAITING;
  readonly maxKept?: number;
  /** Milliseconds from any fixed point. */
  readonly now?: () => number;
}

export function openAnalyses(
  database: Database,
  views: Pick<RowViews, 'count' | 'check'>,
  { waiting = WAITING, maxKept = MAX_KEPT, now = () => performance.now() }: AnalysesOptions = {},
): Analyses {
  const { orm } = database;
  /** The one that was asked for last is the last. */
  const known = new Map<string, Analysis>();
  // Those that wait are counted before they enter.
  const turns = new SlotPool(AT_ONCE.inAll, {
    perCaller: AT_ONCE.perCaller,
    bounds: new QueueBounds({ perCaller: Infinity, inAll: Infinity }),
  });
  const bounds = new QueueBounds(waiting);
  const spares = openSpares(() =>
    openAsks<AnalysisThread>((onMessage) =>
      openThread({ entry: new URL('./analysisEntry.ts', import.meta.url), onMessage }),
    ),
  );
  /** Analyses that wait or run. */
  const works = new Set<Promise<void>>();
  let isClosed = false;

  /** The newest analysis of these rows, of whichever model. */
  const findLast = (owner: RowsOf, isWanted: (analysis: Analysis) => boolean = () => true): Analysis | undefined =>
    [...known.values()].findLast(
      (each) => each.owner.kind === owner.kind && each.owner.id === owner.id && isWanted(each),
    );

  /** The newest one that is done, if it is of the rows that are there now. */
  const findDone = (owner: RowsOf): Analysis | undefined => {
    const now = findLast(owner)?.key;
    return findLast(owner, ({ state, key }) => state === 'done' && key === now);
  };

  async function feed(analysis: Analysis, { ask }: Asks<AnalysisThread>): Promise<Figures> {
    const { owner, model } = analysis;
    const view = await openRowsView(orm, owner);
    const before = analysis.figures?.tokens?.toKnown() ?? null;
    const pages = { end: view.end, pages: Math.ceil(view.end / PAGE), before };
    const tokens = model === null ? null : openTokenCounts(views, model, pages);
    for (let from = 0; from < view.end;) {
      const page = await readRowPage(orm, view.datasetId, { from, end: view.end });
      const marks = await readMarks(orm, view.datasetId, { from, end: page.next });
      const rows = page.rows.flatMap((row): AnalysedRow[] => {
        const side = view.sideOf(row);
        const mark = marks.get(row.position);
        // Rows that were set aside are no trouble any more.
        if (side === undefined || (!view.isFrozen && mark?.is_set_aside === true)) return [];
        const text = view.textOf(row, mark);
        const hash = text === row.text ? row.hash : (mark?.edited_hash ?? row.hash);
        return [{ position: row.position, text, hash, side, tokens: null }];
      });
      const counted = tokens ? await tokens.count(Math.floor(from / PAGE), rows) : rows;
      await ask('add', counted, tokens?.context ?? null);
      from = page.next;
      analysis.progress = (from / view.end) * 0.5;
    }
    for (;;) {
      const step = await ask('finishStep');
      if (typeof step !== 'number') return { result: step, tokens };
      analysis.progress = 0.5 + step / 2;
    }
  }

  async function run(analysis: Analysis): Promise<void> {
    analysis.isBegun = true;
    analysis.waiting.abort();
    const asks = spares.take();
    analysis.stop = () => void asks.isolated.end();
    try {
      analysis.figures = await feed(analysis, asks);
      spares.giveBack(asks);
      analysis.progress = 1;
      analysis.state = 'done';
    } catch (error) {
      analysis.state = 'failed';
      analysis.error = `The rows could not be looked through (${toReason(error)}). Ask again to try once more.`;
      await asks.isolated.end();
    } finally {
      analysis.stop = () => undefined;
    }
  }

  /** Its turn has come. */
  async function begin(analysis: Analysis): Promise<void> {
    if (isClosed || analysis.isBegun || analysis.state !== 'running') return;
    const name = toName(analysis.owner, analysis.model);
    if (now() - analysis.askedAt <= FORGET_MS) {
      await run(analysis);
      forgetResults();
    } else if (known.get(name) === analysis) known.delete(name);
  }

  async function takeTurn(analysis: Analysis, caller: string, leave: () => void): Promise<void> {
    // null: it waits no more.
    const turn = await turns.enter(caller, analysis.waiting.signal).catch(() => null);
    leave();
    if (turn === null) return;
    await begin(analysis);
    turn.complete();
    turn.end();
  }

  /** Waits among the turns of a caller. Throws EngineError 429. */
  function wait(analysis: Analysis, caller: string): void {
    if (analysis.isBegun || analysis.callers.has(caller)) return;
    const leave = bounds.enter(caller, () => ({ seconds: turns.secondsUntilTurn(caller), pace: '' }));
    analysis.callers.add(caller);
    const work = takeTurn(analysis, caller, leave).finally(() => works.delete(work));
    works.add(work);
  }

  /** Drops the results that were asked for longest ago, once there are too many and each has been told to somebody. */
  function forgetResults(): void {
    let bytes = [...known.values()].reduce((sum, each) => sum + toBytes(each), 0);
    for (const [name, analysis] of known) {
      if (bytes <= maxKept) return;
      const isOver = analysis.isTold || now() - analysis.askedAt > FORGET_MS;
      if (analysis.state === 'running' || !isOver) continue;
      known.delete(name);
      bytes -= toBytes(analysis);
    }
  }

  function drop(analysis: Analysis): void {
    if (analysis.state === 'running') analysis.state = 'failed';
    analysis.waiting.abort();
    analysis.stop();
  }

  /** Throws DataProblem 404. */
  async function readKey(owner: RowsOf): Promise<string> {
    const view = await openRowsView(orm, owner);
    if (view.isFrozen) return String(view.end);
    const [found] = await orm
      .select({ revision: datasets.marks_revision })
      .from(datasets)
      .where(eq(datasets.id, view.datasetId));
    return `${view.end} ${found?.revision ?? 0}`;
  }

  /** One that is there already. undefined: it has failed, or is of other rows. Throws EngineError 429. */
  function findKnown(name: string, key: string, caller: string): Analysis | undefined {
    const last = known.get(name);
    if (last?.key !== key || last.state === 'failed') return undefined;
    known.delete(name);
    known.set(name, last);
    last.askedAt = now();
    last.isTold = last.state === 'done';
    if (!last.isTold) wait(last, caller);
    return last;
  }

  async function find(owner: RowsOf, asked: string | null, caller: string): Promise<Analysis> {
    const key = await readKey(owner);
    const model = asked ?? findLast(owner)?.model ?? null;
    const name = toName(owner, model);
    const there = findKnown(name, key, caller);
    if (there) return there;
    if (asked !== null) await checkModel(views, asked);
    // Others may have asked meanwhile.
    const begun = findKnown(name, key, caller);
    if (begun) return begun;
    const last = known.get(name);
    const analysis: Analysis = {
      key,
      state: 'running',
      isBegun: false,
      askedAt: now(),
      isTold: false,
      callers: new Set(),
      progress: 0,
      error: null,
      figures: last?.figures ?? null,
      owner,
      model,
      waiting: new AbortController(),
      stop: () => undefined,
    };
    wait(analysis, caller);
    if (last) drop(last);
    known.delete(name);
    known.set(name, analysis);
    // Of one that has failed it is told why, while it is tried again.
    return last?.key === key ? { ...last } : analysis;
  }

  return {
    async findings(owner, model, caller) {
      const { state, progress, error, figures } = await find(owner, model, caller);
      const findings = figures ? toFinding(figures.result) : [];
      return { state, progress, error, is_old: figures !== null && state !== 'done', findings };
    },
    async statistics(owner, model, context, caller) {
      const { state, progress, error, figures } = await find(owner, model, caller);
      const view = await openRowsView(orm, owner);
      const marks = await countMarks(orm, view.datasetId);
      return {
        state,
        progress,
        error,
        is_old: figures !== null && state !== 'done',
        ...(figures?.result.counted ?? { ...openStatistics().toCounts(), languages: [] }),
        tokens: figures?.tokens?.toStatistics(context) ?? null,
        tags: marks.tags,
        set_aside_count: marks.set_aside,
        edited_count: marks.edited,
      };
    },
    tokensOf(owner) {
      const tokens = findLast(owner, ({ figures }) => figures !== null)?.figures?.tokens;
      return (position) => tokens?.tokensOf(position) ?? null;
    },
    rowsOf(owner, finding) {
      const result = findDone(owner)?.figures?.result;
      return result ? (result.rows.get(finding) ?? new Uint32Array()) : null;
    },
    otherOf(owner, finding) {
      const result = findDone(owner)?.figures?.result;
      const [rows, others] = [result?.rows.get(finding), result?.others.get(finding)];
      return (position) => {
        const at = rows ? findPlace(rows, position) : -1;
        const other = at < 0 ? 0 : (others?.[at] ?? 0);
        return other === 0 ? null : other - 1;
      };
    },
    findingsOf(owner, position) {
      const result = findDone(owner)?.figures?.result;
      return (result?.findings ?? []).flatMap(({ id, why, rows }) => {
        const own = rows.find((row) => row.id === position) ?? rows.find((row) => row.other === position);
        return own ? [{ kind: id, about: own.note ?? why, others: toGroup(rows, own, position) }] : [];
      });
    },
    async close() {
      isClosed = true;
      for (const analysis of known.values()) drop(analysis);
      await Promise.all(works);
      await spares.close();
    },
  };
}
