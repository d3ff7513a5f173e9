// Analyses of rows in the background: begun by the first question, one at a time for each caller, kept while the rows stay the
// same and somebody asks.
import { eq } from 'drizzle-orm';
import { openThread } from '#service/threads/isolated.ts';
import { openAsks } from '#service/threads/threadRequests.ts';
import { openSpares } from '#service/threads/idleThreads.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { FindingList, Statistics } from '#features/datasets/shared/contract/rows.ts';
import { openStatistics } from '#features/datasets/shared/statistics.ts';
import { QueueBounds, type QueueLimits } from '#engine/queueBounds.ts';
import { SlotPool } from '#engine/slotPool.ts';
import { toReason, type Database, type Orm } from '#service/database/database.ts';
import { datasets } from '#service/database/tables.ts';
import { countMarks } from '#features/datasets/server/rowEdits.ts';
import { openRowsView } from '#features/datasets/server/datasetRowSet.ts';
import { checkModel } from '#features/datasets/server/modelViewAnswers.ts';
import { findPlace } from '#features/datasets/server/sortedPositions.ts';
import type { RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { analyseRows } from './analyseRows.ts';
import type { AnalysisThread } from './analysisEntry.ts';
import { toFinding, toGroup } from './foundRows.ts';
import { Analysis, KeptAnalyses } from './keptAnalyses.ts';

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

/** Analyses at a time, of one caller and in all, and those that may wait. */
const AT_ONCE = { perCaller: 1, inAll: 2 };
const WAITING: QueueLimits = { perCaller: 256, inAll: 1024 };
/** Bytes of all results that are kept, roughly. */
const MAX_KEPT = 128 * 1024 * 1024;

export interface AnalysesOptions {
  readonly waiting?: QueueLimits;
  readonly maxKept?: number;
  /** Milliseconds from any fixed point. */
  readonly now?: () => number;
}

/** The turns of callers. Works that wait are counted before they enter. */
class Turns {
  readonly #pool = new SlotPool(AT_ONCE.inAll, {
    perCaller: AT_ONCE.perCaller,
    bounds: new QueueBounds({ perCaller: Infinity, inAll: Infinity }),
  });
  readonly #bounds: QueueBounds;
  readonly #works = new Set<Promise<void>>();

  constructor(limits: QueueLimits) {
    this.#bounds = new QueueBounds(limits);
  }

  /** Does `work` when the caller has its turn, unless `signal` is aborted before. Throws EngineError 429. */
  wait(caller: string, signal: AbortSignal, work: () => Promise<void>): void {
    const leave = this.#bounds.enter(caller, () => ({ seconds: this.#pool.secondsUntilTurn(caller), pace: '' }));
    const taken = this.#take(caller, signal, leave, work).finally(() => this.#works.delete(taken));
    this.#works.add(taken);
  }

  async #take(caller: string, signal: AbortSignal, leave: () => void, work: () => Promise<void>): Promise<void> {
    // null: it waits no more.
    const turn = await this.#pool.enter(caller, signal).catch(() => null);
    leave();
    if (turn === null) return;
    await work();
    turn.complete();
    turn.end();
  }

  /** Resolves when nothing waits or runs. */
  async ended(): Promise<void> {
    await Promise.all(this.#works);
  }
}

/** Changes whenever the rows do. Throws DataProblem 404. */
async function readKey(orm: Orm, owner: RowsOf): Promise<string> {
  const view = await openRowsView(orm, owner);
  if (view.isFrozen) return String(view.end);
  const [found] = await orm
    .select({ revision: datasets.marks_revision })
    .from(datasets)
    .where(eq(datasets.id, view.datasetId));
  return `${view.end} ${found?.revision ?? 0}`;
}

interface AnalysisQueue {
  /** Throws DataProblem 404, EngineError 429. */
  find(owner: RowsOf, model: string | null, caller: string): Promise<Analysis>;
  close(): Promise<void>;
}

/** Begins what is asked for and not in `kept` yet. */
function openAnalysisQueue(
  orm: Orm,
  views: Pick<RowViews, 'count' | 'check'>,
  kept: KeptAnalyses,
  waiting: QueueLimits,
): AnalysisQueue {
  const turns = new Turns(waiting);
  const spares = openSpares(() =>
    openAsks<AnalysisThread>((onMessage) =>
      openThread({ entry: new URL('./analysisEntry.ts', import.meta.url), onMessage }),
    ),
  );
  let isClosed = false;

  async function run(analysis: Analysis): Promise<void> {
    analysis.isBegun = true;
    analysis.waiting.abort();
    const asks = spares.take();
    analysis.stop = () => void asks.isolated.end();
    try {
      analysis.figures = await analyseRows(orm, views, asks, analysis);
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
    if (kept.isForgotten(analysis)) return kept.remove(analysis);
    await run(analysis);
    kept.forgetResults();
  }

  /** Waits among the turns of a caller. Throws EngineError 429. */
  function wait(analysis: Analysis, caller: string): void {
    if (analysis.isBegun || analysis.callers.has(caller)) return;
    turns.wait(caller, analysis.waiting.signal, () => begin(analysis));
    analysis.callers.add(caller);
  }

  /** One that is there already. undefined: it has failed, or is of other rows. Throws EngineError 429. */
  function findKnown(owner: RowsOf, model: string | null, key: string, caller: string): Analysis | undefined {
    const last = kept.get(owner, model);
    if (last?.key !== key || last.state === 'failed') return undefined;
    kept.put(last);
    last.isTold = last.state === 'done';
    if (!last.isTold) wait(last, caller);
    return last;
  }

  return {
    async find(owner, asked, caller) {
      const key = await readKey(orm, owner);
      const model = asked ?? kept.findLast(owner)?.model ?? null;
      const there = findKnown(owner, model, key, caller);
      if (there) return there;
      if (asked !== null) await checkModel(views, asked);
      // Others may have asked meanwhile.
      const begun = findKnown(owner, model, key, caller);
      if (begun) return begun;
      const last = kept.get(owner, model);
      const analysis = new Analysis(owner, model, key, last?.figures ?? null);
      wait(analysis, caller);
      last?.drop();
      kept.put(analysis);
      // Of one that has failed it is told why, while it is tried again.
      return last?.key === key ? last : analysis;
    },
    async close() {
      isClosed = true;
      for (const analysis of kept.all()) analysis.drop();
      await turns.ended();
      await spares.close();
    },
  };
}

export function openAnalyses(
  { orm }: Database,
  views: Pick<RowViews, 'count' | 'check'>,
  { waiting = WAITING, maxKept = MAX_KEPT, now = () => performance.now() }: AnalysesOptions = {},
): Analyses {
  const kept = new KeptAnalyses(maxKept, now);
  const { find, close } = openAnalysisQueue(orm, views, kept, waiting);
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
      const tokens = kept.findLast(owner, ({ figures }) => figures !== null)?.figures?.tokens;
      return (position) => tokens?.tokensOf(position) ?? null;
    },
    rowsOf(owner, finding) {
      const result = kept.findDone(owner)?.figures?.result;
      return result ? (result.rows.get(finding) ?? new Uint32Array()) : null;
    },
    otherOf(owner, finding) {
      const result = kept.findDone(owner)?.figures?.result;
      const [rows, others] = [result?.rows.get(finding), result?.others.get(finding)];
      return (position) => {
        const at = rows ? findPlace(rows, position) : -1;
        const other = at < 0 ? 0 : (others?.[at] ?? 0);
        return other === 0 ? null : other - 1;
      };
    },
    findingsOf(owner, position) {
      const result = kept.findDone(owner)?.figures?.result;
      return (result?.findings ?? []).flatMap(({ id, why, rows }) => {
        const own = rows.find((row) => row.id === position) ?? rows.find((row) => row.other === position);
        return own ? [{ kind: id, about: own.note ?? why, others: toGroup(rows, own, position) }] : [];
      });
    },
    close,
  };
}
