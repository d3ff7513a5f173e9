// Opens the room of evaluations: its records, and the work on runs, one at a time.
import { setTimeout as pause } from 'node:timers/promises';
import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import type { Engine } from '#engine/engine.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Scores, EvaluationRun, NewRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { found } from '#service/http/httpProblem.ts';
import { notDeleted, projects } from '#service/database/tables.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { toReason } from '#service/database/database.ts';
import { openLeases, type Lease, type Leases } from '#service/database/leases/leases.ts';
import { leases } from '#service/database/leases/leases.ts';
import { openWorkLoop } from '#service/database/leases/workLoop.ts';
import type { ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { findEvaluationFiles, readEvaluationFileOf } from './importing/findEvaluationFiles.ts';
import { readEvaluationFile } from './importing/readEvaluationFile.ts';
import { storeImport, type ImportPlace } from './importing/storeImport.ts';
import { checkModels } from './checkModels.ts';
import { ASK_TIMING, type AskTiming } from './askStage.ts';
import { evaluations, runs } from './evaluationTables.ts';
import { findUnmeasured } from './evaluatedStudio.ts';
import { openPaces } from './paces.ts';
import { readRun } from './runRecords.ts';
import { ACTIVE, cancelRun, deleteRun, rescoreRun, resumeRun, startRun } from './runs.ts';
import { checkStoredBytes } from './storedBytes.ts';
import { workOn } from './runWork.ts';
import { openFunctionRunner } from './functions/functionRunner.ts';
import type { EvaluatorAccess } from './scoring/ownEvaluator.ts';
import { openCheckThreads } from './scoring/checkThread.ts';
import { readScores } from './readScores.ts';

export interface EvaluationsOptions {
  readonly database: Database;
  readonly engine: Pick<Engine, 'load' | 'findModel' | 'listModels'>;
  readonly studio: Pick<Studio, 'findRows'>;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  /** Programs of people that may judge answers; absent: none. */
  readonly evaluators?: EvaluatorAccess;
  readonly leaseMs?: number;
  readonly timing?: AskTiming;
  readonly pollMs?: number;
  readonly storedBytes?: number;
}

interface ImportedRun {
  readonly evaluation: Evaluation;
  /** null: the file has no answers. */
  readonly run: EvaluationRun | null;
}

const LEASE_MS = 15_000;
/** Time in which answers that are in memory are judged again. */
const RESCORE_MS = 500;
/** How often the queue is read for what other services leave behind or add. */
const POLL_MS = 5_000;

const FILES = {
  readFile: readEvaluationFile,
  findFiles: findEvaluationFiles,
  readFoundFile: readEvaluationFileOf,
};

export type Evaluations = Awaited<ReturnType<typeof openEvaluations>>;

/** Who waits for the end of the work on a run. */
function openEnds() {
  const waiting = new Map<string, () => void>();
  return {
    tell: (id: string): void => waiting.get(id)?.(),
    async wait(id: string, ms: number): Promise<void> {
      const ended = new Promise<void>((resolve) => void waiting.set(id, resolve));
      await Promise.race([ended, pause(ms, undefined, { ref: false })]);
      waiting.delete(id);
    },
  };
}

/** The one that waits longest for somebody to work on it; one that is put aside waits for its time. */
async function findNextRun(orm: Orm, own: Leases, now: Date): Promise<string | null> {
  const [next] = await orm
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(evaluations, eq(runs.evaluation_id, evaluations.id))
    .innerJoin(projects, eq(evaluations.project_id, projects.id))
    .leftJoin(leases, own.isOf(runs.id))
    .where(and(inArray(runs.status, [...ACTIVE]), lte(runs.queued_at, now), own.isFree(), notDeleted(projects)))
    .orderBy(asc(runs.queued_at), asc(runs.id))
    .limit(1);
  return next?.id ?? null;
}

/** What it gives throws HttpProblem and DatabaseUnavailable. */
export async function openEvaluations(options: EvaluationsOptions) {
  const { database, engine, studio, now, report, leaseMs = LEASE_MS, timing = ASK_TIMING, pollMs = POLL_MS } = options;
  const { evaluators = { allowed: [], token: null }, storedBytes = EVALUATION_LIMITS.storedBytes } = options;
  const evaluatorNames = evaluators.allowed.map(({ name }) => name);
  const { orm } = database;
  const own = openLeases(database, 'evaluation', leaseMs);
  await own.endFormer();
  await own.removeOver();
  const threads = openCheckThreads();
  const functions = openFunctionRunner();
  const closing = new AbortController();
  const paces = openPaces(() => performance.now());
  /** Runs that this service works on. */
  const working = new Map<string, AbortController>();
  const ends = openEnds();

  const takeNext = async (): Promise<Lease | null> => {
    const next = await findNextRun(orm, own, now());
    return next === null ? null : own.take(orm, next);
  };

  /** Queues a run for the next model that a training has made. */
  async function measureNext(): Promise<boolean> {
    const next = await findUnmeasured(orm);
    if (next === null) return false;
    const { evaluation_id, experiment_id, model_id } = next;
    const start = { now: now(), who: null, experimentId: experiment_id };
    return (await startRun(orm, evaluation_id, { models: [model_id] }, start)) !== null;
  }

  async function work(): Promise<number> {
    const lease = await database.guard(takeNext);
    if (lease === null) return (await database.guard(measureNext)) ? 0 : pollMs;
    const held = own.hold(lease);
    const ending = new AbortController();
    working.set(lease.id, ending);
    try {
      const signal = AbortSignal.any([closing.signal, ending.signal]);
      await workOn(
        {
          database,
          engine,
          now,
          timing,
          storedBytes,
          scoring: { threads, functions, engine, evaluators },
          onAnswer: paces.add,
        },
        lease.id,
        held,
        signal,
      );
    } finally {
      working.delete(lease.id);
      ends.tell(lease.id);
      paces.end(lease.id);
      held.stop();
      await own.release(orm, lease).catch(() => undefined);
    }
    return 0;
  }

  const loop = openWorkLoop({
    work,
    onFailure: (reason) => report(`A run of an evaluation could not be worked on: ${reason}`),
  });
  const read = (id: string): Promise<EvaluationRun> => readRun(orm, id, paces.paceOf);

  const deps = { orm, findRows: studio.findRows.bind(studio), now, evaluatorNames, storedBytes };

  return {
    deps,
    paceOf: paces.paceOf,
    listEvaluators: async () => ({ evaluators: evaluatorNames.map((name) => ({ name })) }),
    read,
    async start(evaluationId: string, wanted: NewRun, who: string | null): Promise<EvaluationRun> {
      await Promise.all([checkStoredBytes(orm, storedBytes), checkModels(orm, engine, evaluationId, wanted)]);
      const id = await startRun(orm, evaluationId, wanted, { now: now(), who, experimentId: null });
      loop.wake();
      return read(found(id, 'run', evaluationId));
    },
    ...FILES,
    /** Stores an imported evaluation, and its answers as a run. */
    async storeFile(imported: ImportedEvaluation, place: ImportPlace): Promise<ImportedRun> {
      const { evaluation, runId } = await storeImport(deps, imported, place);
      loop.wake();
      return { evaluation, run: runId === null ? null : await read(runId) };
    },
    async cancel(id: string): Promise<EvaluationRun> {
      await cancelRun(orm, id, now());
      working.get(id)?.abort();
      return read(id);
    },
    async resume(id: string): Promise<EvaluationRun> {
      await resumeRun(orm, id, now());
      loop.wake();
      return read(id);
    },
    /** Gives the run as it is once it is judged, or after half a second. */
    async rescore(id: string): Promise<EvaluationRun> {
      await rescoreRun(orm, id, now());
      const ended = ends.wait(id, RESCORE_MS);
      loop.wake();
      await ended;
      return read(id);
    },
    async remove(id: string): Promise<void> {
      await deleteRun(orm, id);
      working.get(id)?.abort();
    },
    readScores: (id: string, baseline: string | null = null): Promise<Scores> => readScores(orm, id, baseline),
    async close(): Promise<void> {
      closing.abort();
      await loop
        .close()
        .catch((error: unknown) => report(`A run of an evaluation did not end well: ${toReason(error)}`));
      await Promise.all([threads.close(), functions.close()]);
    },
  };
}
