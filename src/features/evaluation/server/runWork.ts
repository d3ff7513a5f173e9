// Works on one run of an evaluation: asks, judges and counts. It can be ended at any moment and goes on later where it was.
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, inArray } from 'drizzle-orm';
import type { Engine } from '#engine/engine.ts';
import type { RunStatus } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { toReason, type Database, type Orm } from '#service/database/database.ts';
import { isDiskFull } from '#service/database/disk/freeDisk.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import { isUnavailable } from '#service/database/unavailable.ts';
import { openAnswerWriter } from './answerWriter.ts';
import { storeAnswers } from './answers.ts';
import { ModelAway } from './askModel.ts';
import { askAll, toPatienceMs, type AskEnd, type AskTiming } from './askStage.ts';
import { runModels, runs } from './evaluationTables.ts';
import { judgeBlock, judgeKept, type AwayScorers, type JudgeDeps } from './judgeStage.ts';
import { BLOCK_ROWS, toFirst } from './rowSets.ts';
import { countingOf, readWholeRun, type WholeRun } from './runRecords.ts';
import { openScorers, type Scorer, type ScorerDeps } from './scoring/scorers.ts';
import { checkStoredBytes } from './storedBytes.ts';
import { toModelRate } from './scores.ts';
import { readVerdictTable } from './verdictTable.ts';

export interface WorkDeps {
  readonly database: Database;
  readonly engine: Pick<Engine, 'load'>;
  readonly now: () => Date;
  readonly timing: AskTiming;
  readonly storedBytes: number;
  readonly scoring: Omit<ScorerDeps, 'patienceMs'>;
  /** Counts an answer for the pace. */
  readonly onAnswer: (runId: string) => void;
}

/** A person has cancelled or deleted it. */
class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** Between two looks for new answers to judge. */
const JUDGE_MS = 1_000;
/** Blocks that could not be judged are tried so often, with a pause. */
const JUDGE_TRIES = 5;
/** Of the time that counting rates took: the pause before the next time. */
const REFRESH_PAUSE = 10;
const ACTIVE: readonly RunStatus[] = ['queued', 'running', 'waiting'];

/** Pass rates of all models, as they are now. */
async function refreshRates(orm: Orm, { run, models, checks }: WholeRun): Promise<void> {
  const counting = countingOf(checks);
  const table = await readVerdictTable(orm, run, counting);
  for (const { place } of models) {
    const { rate, judged } = toModelRate(table, counting, place, run);
    await orm
      .update(runModels)
      .set({ rate, judged })
      .where(and(eq(runModels.run_id, run.id), eq(runModels.place, place)));
  }
}

/** Blocks with answers that may not be judged yet. */
class OpenBlocks {
  readonly #blocks = new Map<string, readonly [place: number, first: number]>();

  add(place: number, position: number): void {
    const first = toFirst(position);
    this.#blocks.set(`${place} ${first}`, [place, first]);
  }

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  take(): readonly (readonly [place: number, first: number])[] {
    const all = [...this.#blocks.values()];
    this.#blocks.clear();
    return all;
  }
}

/** A run that is held by this service. */
class HeldRun {
  readonly #ending = new AbortController();
  readonly signal: AbortSignal;
  #failure: unknown = null;

  constructor(
    readonly deps: WorkDeps,
    readonly id: string,
    readonly lease: HeldLease,
    closing: AbortSignal,
  ) {
    this.signal = AbortSignal.any([closing, lease.signal, this.#ending.signal]);
  }

  get failure(): unknown {
    return this.#failure;
  }

  fail(error: unknown): void {
    this.#failure ??= error;
    this.#ending.abort(error);
  }

  /** A transaction of whoever holds the run, as long as nobody has ended it. Throws RunEnded, LeaseLost. */
  write = (work: (orm: Orm) => Promise<void>): Promise<void> =>
    this.lease.write(async (orm) => {
      const [found] = await orm.select({ status: runs.status }).from(runs).where(eq(runs.id, this.id)).for('share');
      if (found === undefined || !ACTIVE.includes(found.status)) throw new RunEnded();
      await work(orm);
    });

  set(status: RunStatus, reason: string | null, ended_at: Date | null = null): Promise<void> {
    return this.#change({ status, reason, ended_at });
  }

  /** Others go on, and it is taken up again later. */
  putAside({ message, waitMs }: ModelAway, reasons: readonly string[]): Promise<void> {
    const { now, timing } = this.deps;
    const queued_at = new Date(now().getTime() + Math.max(timing.asideMs, waitMs ?? 0));
    return this.#change({ status: 'waiting', reason: [message, ...reasons].join(' '), queued_at });
  }

  #change(values: Partial<typeof runs.$inferInsert>): Promise<void> {
    return this.write(async (orm) => {
      await orm
        .update(runs)
        .set(values)
        .where(and(eq(runs.id, this.id), inArray(runs.status, [...ACTIVE])));
    });
  }
}

/** Gives who could not judge what is left once all is asked; null: all is judged. */
async function judgeAll(
  held: HeldRun,
  whole: WholeRun,
  deps: JudgeDeps,
  open: OpenBlocks,
  asking: Promise<unknown>,
): Promise<ModelAway | null> {
  const { signal } = held;
  let isAsked = false;
  let refreshAt = 0;
  const refresh = async (): Promise<void> => {
    const beganAt = performance.now();
    await held.write((orm) => refreshRates(orm, whole));
    // Rates of many answers take a second: they are for people to look at meanwhile.
    refreshAt = performance.now() + REFRESH_PAUSE * (performance.now() - beganAt);
  };
  const refreshSoon = async (): Promise<void> => {
    if (performance.now() > refreshAt) await refresh();
  };
  const asked = asking.then(
    () => (isAsked = true),
    () => (isAsked = true),
  );
  for (let tries = 0; ;) {
    const isLast = isAsked;
    const away: AwayScorers = new Map();
    const blocks = open.take();
    for (const [at, [place, first]] of blocks.entries()) {
      try {
        signal.throwIfAborted();
        if (!(await judgeBlock({ ...deps, onStored: refreshSoon }, whole, place, first, away))) open.add(place, first);
        tries = 0;
      } catch (error) {
        for (const [one, other] of blocks.slice(at)) open.add(one, other);
        if (signal.aborted || error instanceof RunEnded || error instanceof LeaseLost) throw error;
        if (!isUnavailable(error) && (tries += 1) >= JUDGE_TRIES) throw error;
        break;
      }
    }
    if (isLast) await refresh();
    else if (blocks.length > 0) await refreshSoon();
    const [left] = away.values();
    if (isLast && left !== undefined) return left;
    if (isLast && tries === 0 && open.isEmpty) return null;
    const later = pause(JUDGE_MS, undefined, { signal });
    await (isAsked ? later : Promise.race([later, asked]));
  }
}

async function askAndJudge(held: HeldRun, whole: WholeRun): Promise<AskEnd> {
  const { scoring, timing } = held.deps;
  const scorers = openScorers(whole, { ...scoring, patienceMs: toPatienceMs(timing, whole) });
  try {
    return await askAndJudgeWith(scorers, held, whole);
  } finally {
    await Promise.all(scorers.map((scorer) => scorer.close()));
  }
}

async function askAndJudgeWith(scorers: readonly Scorer[], held: HeldRun, whole: WholeRun): Promise<AskEnd> {
  const { deps, signal } = held;
  const { orm } = deps.database;
  const open = new OpenBlocks();
  /** Others are compared with its answers. */
  const isBase = (place: number): boolean =>
    scorers.some(({ isPairs }) => isPairs) && whole.models[place]?.model === whole.run.baseline;
  const judge = { orm, scorers, signal, write: held.write };
  for (const place of await judgeKept(judge, whole))
    for (let first = 0; first < whole.run.row_count; first += BLOCK_ROWS) open.add(place, first);
  const writer = openAnswerWriter({
    signal,
    onFailure: (error) => held.fail(error),
    async store(answers) {
      deps.database.checkRoom?.();
      await held.write(async (transaction) => {
        await checkStoredBytes(transaction, deps.storedBytes);
        await storeAnswers(transaction, whole.run.id, answers);
      });
      for (const { model, position } of answers)
        for (const { place } of isBase(model) ? whole.models : [{ place: model }]) open.add(place, position);
    },
  });
  const stop = (error: unknown): never => {
    held.fail(error);
    throw error;
  };
  const asking = askAll(
    {
      orm,
      engine: deps.engine,
      writer,
      timing: deps.timing,
      signal,
      onAnswer: () => deps.onAnswer(whole.run.id),
      onWait: (message) =>
        void held.set(message === null ? 'running' : 'waiting', message).catch((error: unknown) => {
          if (!isUnavailable(error)) held.fail(error);
        }),
    },
    whole,
  );
  const judging = judgeAll(held, whole, judge, open, asking);
  try {
    const [{ reasons, away }, awayJudge] = await Promise.all([asking.catch(stop), judging.catch(stop)]);
    return { reasons, away: away ?? awayJudge };
  } finally {
    await Promise.allSettled([asking, judging]);
  }
}

const FULL = 'The disk of the studio is full. Free some space, then resume the run.';

/** Works until the run has ended, was cancelled or deleted, or `closing` is aborted: then it goes on later. */
export async function workOn(deps: WorkDeps, id: string, lease: HeldLease, closing: AbortSignal): Promise<void> {
  const held = new HeldRun(deps, id, lease, closing);
  const { orm } = deps.database;
  try {
    const whole = await readWholeRun(orm, id);
    await held.write(async (transaction) => {
      const started_at = whole.run.started_at ?? deps.now();
      await transaction
        .update(runs)
        .set({ status: 'running', reason: null, started_at, ended_at: null })
        .where(eq(runs.id, id));
    });
    const { reasons, away } = await askAndJudge(held, whole);
    if (away !== null) return await held.putAside(away, reasons);
    const reason = reasons.length === 0 ? null : reasons.join(' ');
    await held.set(reason === null ? 'completed' : 'failed', reason, deps.now());
  } catch (thrown) {
    const error = held.failure ?? thrown;
    if (closing.aborted || error instanceof RunEnded || error instanceof LeaseLost || lease.signal.aborted) return;
    if (isUnavailable(error)) throw error;
    await held.set('failed', isDiskFull(error) ? FULL : `It could not go on: ${toReason(error)}`, deps.now());
  }
}
