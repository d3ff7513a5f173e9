// One run from its claim to its end: the folder, the trainer's process, its lines, what people want of it, the result.
import { EXIT_RESUMABLE } from '#trainer/protocol/trainerProtocol.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Files } from '#service/files/files.ts';
import type { HeldLease, Leases } from '#service/database/leases/leases.ts';
import type { SnapshotRows } from '#features/datasets/server/rows/snapshotRows.ts';
import { canPass, DatabaseUnavailable } from '#service/database/unavailable.ts';
import { deployModel, deployResult, keepForms, removeRemains, removeTried } from './deploy.ts';
import { changeStatus, ENDED, type Change } from './jobStates.ts';
import { removeModel } from './modelFiles.ts';
import { findTraining, type ClaimedRun, type QueuedRun } from './queue.ts';
import { keepFile } from './keptFiles.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { readCurveResults, toResults } from './results.ts';
import {
  CannotTrain,
  hasOutput,
  keepOutput,
  noteProcess,
  prepareRunFolder,
  toOutputPath,
  toRunPath,
  removeRunFolder,
  toTrainerJob,
  type RunFolder,
} from './runFolder.ts';
import type { Trainer, TrainingBase } from './trainer.ts';
import {
  openTrainerProcess,
  type TrainerEnd,
  type TrainerProcess,
  type TrainerProcessOptions,
} from './trainerProcess.ts';

export interface TrainingTimes {
  /** How often lines are stored, and people's wishes read. */
  readonly tickMs: number;
  readonly leaseMs: number;
  /** A trainer that writes nothing for so long hangs. */
  readonly silenceMs: number;
  /** How long a trainer may take to save a checkpoint. */
  readonly graceMs: number;
  /** The same while the studio ends, which must be quick. */
  readonly closeMs: number;
  /** How often files that nothing needs any more are removed. */
  readonly sweepMs: number;
}

export const TIMES: TrainingTimes = {
  tickMs: 500,
  leaseMs: 15_000,
  silenceMs: 15 * 60_000,
  graceMs: 20_000,
  closeMs: 3_500,
  sweepMs: 60_000,
};

/** What a trainer's process is opened with, and how its lines are stored: `flush` says whether the run is still ours. */
export type OpenTrainer = (
  options: TrainerProcessOptions & Pick<Recorder, 'flush'> & { readonly held: HeldLease },
) => TrainerProcess;

export interface OneTrainingDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly dataDir: string;
  /** Asks about files of base models, and about what a trainer names. */
  readonly disk?: Files | undefined;
  readonly trainer: Trainer;
  /** By default a process of this machine. */
  readonly openProcess?: OpenTrainer;
  /** Another service began it, and its trainer goes on: what there is of the run stays. */
  readonly isAdopted?: boolean;
  readonly now: () => Date;
  readonly times: TrainingTimes;
  readonly findBase: (queued: QueuedRun) => Promise<TrainingBase>;
  readonly findRows: (snapshotId: string, bucket: RowBucket) => Promise<SnapshotRows | null>;
  /** Loads a new model once. Resolves to what is wrong with it; null: it answers. */
  readonly tryModel: (id: string) => Promise<string | null>;
  readonly report: (line: string) => void;
  readonly closing: AbortSignal;
}

const GOES_ON = 'It goes on from its last checkpoint.';
/** Most ticks of silence between two looks at a trainer. A longer time was no silence: the machine slept. */
const LONGEST_TICK = 10;

/** Of a lease, the part that is left when its trainer must have ended. */
const SPARE = 1 / 15;

/** Why the studio ended a trainer; `lost`: another process may have its run. */
type Cause = 'cancel' | 'stop' | 'lost' | 'closing' | { readonly failed: string };

const sleep = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, null);
  });

export async function trainOne(deps: OneTrainingDeps, claimed: ClaimedRun): Promise<void> {
  const { database, dataDir, disk, now, times, report, closing, isAdopted = false } = deps;
  const { id } = claimed.run;
  const isRemote = deps.openProcess !== undefined;
  const isElsewhere = !isAdopted && claimed.training.can_resume && !(await hasOutput(dataDir, id));
  const queued = isElsewhere ? { ...claimed, training: { ...claimed.training, can_resume: false } } : claimed;
  let isLost = false;
  let isDeleted = false;
  /** As it was last read with the lease. */
  let wished: Awaited<ReturnType<Recorder['flush']>> = null;
  let isAway = false;

  // Also while rows are written and models are copied, which may take longer than a lease.
  const held = deps.leases.hold(claimed.lease, async () => {
    const found = await findTraining(database.orm, id);
    wished = found?.training.wish ?? null;
    isDeleted = found === null;
  });

  /**
   * Does work on the database. Waits for one that is away as long as a lease lasts, and then throws DatabaseUnavailable:
   * another process may have the run. What the database refuses is thrown at once, and so is LeaseLost.
   */
  async function persist<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + times.leaseMs;
    let isReported = false;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (closing.aborted || !canPass(error)) throw error;
        if (!isReported) report(`A training could not be recorded: ${toReason(error)}`);
        isReported = true;
        if (performance.now() > until) throw new DatabaseUnavailable(toReason(error));
        await sleep(Math.max(times.tickMs, 1_000));
      }
    }
  }

  /** Throws LeaseLost: what the process that has taken it over says counts. */
  const settle = (change: Change): Promise<boolean> =>
    persist(() =>
      held.write(async (orm) => {
        if (change.status !== 'deploying') await held.release(orm);
        return changeStatus(orm, id, change);
      }),
    );

  let folder: RunFolder | null = null;
  let base: TrainingBase | null = null;

  const recorder = openRecorder({
    database,
    queued,
    held,
    now,
    isAdopted,
    async toModel({ step, model }) {
      if (model == null || folder === null || base === null) return null;
      const options = { dataDir, folder, queued, base, disk, now, step };
      const made = await deployModel(held, model, options).catch((error: unknown) => {
        recorder.note(`The checkpoint of step ${step} can't be tried: ${toReason(error)}`);
        return null;
      });
      // The models that are too many go later.
      if (made !== null) await removeTried(database.orm, dataDir, id, 'going').catch(() => undefined);
      return made?.id ?? null;
    },
  });

  async function watch(trainer: TrainerProcess): Promise<{ cause: Cause | null; end: TrainerEnd }> {
    let cause: Cause | null = null;
    const kills: NodeJS.Timeout[] = [];
    let silentMs = 0;
    let [heardAt, tickedAt] = [recorder.lastAt, performance.now()];
    let failingSince: number | null = null;
    const end = (why: Cause, graceMs: number): void => {
      // What is being stopped can still be cancelled: then nothing of it is kept, and it has less time.
      if (cause !== null && why !== 'lost' && !(cause === 'stop' && why === 'cancel')) return;
      cause = why;
      if (graceMs <= 0) trainer.kill();
      else trainer.stop();
      // Not after the database has answered below: it may be silent.
      kills.push(setTimeout(() => trainer.kill(), graceMs));
    };
    // A worker has a folder of its own, and trains on while it is not known whether another process has its run.
    const onLost = (): void => {
      if (!isRemote) end('lost', Math.min(times.graceMs, held.leftMs() - times.leaseMs * SPARE));
    };
    held.signal.addEventListener('abort', onLost);
    if (held.signal.aborted) onLost();
    // A worker trains on, for the next service that it reaches.
    const closed = (): void => end('closing', isRemote ? 0 : times.closeMs);
    closing.addEventListener('abort', closed);
    if (closing.aborted) closed();
    for (;;) {
      const ended = await Promise.race([trainer.ended, sleep(times.tickMs)]);
      if (ended) {
        closing.removeEventListener('abort', closed);
        held.signal.removeEventListener('abort', onLost);
        for (const kill of kills) clearTimeout(kill);
        return { cause, end: ended };
      }
      try {
        if (!held.isLost()) wished = await recorder.flush();
        failingSince = null;
      } catch (error) {
        if (failingSince === null) report(`The progress of a training could not be stored: ${toReason(error)}`);
        failingSince ??= performance.now();
        // Another process may have the run then.
        isLost ||= performance.now() - failingSince > times.leaseMs;
      }
      // Also while nothing can be stored: what was last read with the lease counts.
      if (isLost || held.isLost() || wished === 'lost') end('lost', 0);
      else if (wished === 'cancel' || isDeleted) end('cancel', Math.min(times.graceMs, 2_000));
      else if (wished === 'stop') end('stop', times.graceMs);
      if (recorder.hopeless !== null) end({ failed: recorder.hopeless }, 0);
      // Summed up by ticks: while the machine slept, the trainer could not write.
      const tickAt = performance.now();
      const passedMs = Math.min(tickAt - tickedAt, LONGEST_TICK * times.tickMs);
      silentMs = recorder.lastAt === heardAt ? silentMs + passedMs : 0;
      [heardAt, tickedAt] = [recorder.lastAt, tickAt];
      if (silentMs > times.silenceMs) {
        const seconds = Math.ceil(times.silenceMs / 1000);
        end({ failed: `The trainer wrote nothing for ${seconds} s, so it was ended. The log has its last lines.` }, 0);
      }
    }
  }

  /** The last lines. A run that people end ends also when they can't be stored; of a cancelled one nothing is kept. */
  async function storeLast(cause: Cause | null): ReturnType<Recorder['flush']> {
    if (cause === 'cancel') return recorder.flush().catch(() => null);
    return persist(() => recorder.flush()).catch((error: unknown) => {
      if (cause === 'stop' && !closing.aborted) return null;
      throw error;
    });
  }

  const fail = async (reason: string): Promise<void> => {
    const results = await readCurveResults(database.orm, id).catch(() => ({}));
    const failed: Change = { status: 'failed', reason, training: { ...ENDED, ended_at: now() } };
    await settle({ ...failed, results }).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) throw error;
      return settle({ ...failed, reason: `Its end could not be recorded: ${toReason(error)}.` });
    });
    await removeTried(database.orm, dataDir, id, 'none').catch(() => undefined);
  };

  async function stopped(cause: 'cancel' | 'stop', step: number): Promise<void> {
    const canResume = cause === 'stop' && (recorder.checkpoint !== null || queued.training.can_resume);
    const reason =
      isDeleted && cause === 'cancel'
        ? 'It was deleted while it was trained.'
        : cause === 'cancel'
          ? 'Cancelled by a person.'
          : canResume
            ? `Stopped by a person at step ${step}. Its last checkpoint is kept.`
            : 'Stopped by a person before its first checkpoint.';
    const results = await readCurveResults(database.orm, id).catch(() => ({}));
    const training = { ...ENDED, can_resume: canResume, ended_at: now() };
    await settle({ status: 'stopped', reason, results, training });
    if (!canResume) await removeRemains(deps, id);
  }

  async function succeed(result: NonNullable<Recorder['result']>): Promise<void> {
    if (folder === null || base === null) return;
    if (!(await settle({ status: 'deploying', reason: null }))) return;
    const isFolder = 'folder' in result.model;
    const options = { dataDir, folder, queued, base, disk, now };
    const { id: model, file, reason } = await deployResult(held, result.model, options, deps.tryModel);
    held.check();
    const told = reason === null ? [] : [reason];
    if (isFolder) await keepFile(database.orm, dataDir, toOutputPath(id), id);
    if (file !== null) await keepForms({ dataDir, folder, disk }, file, result.files, (text) => told.push(text));
    for (const text of told) recorder.note(text);
    // Somebody may have cancelled it meanwhile, and nothing of a cancelled run is kept.
    if ((await persist(() => recorder.flush())) === 'cancel' || isDeleted) {
      if (file !== null && model !== null) await removeModel(database.orm, dataDir, model);
      return stopped('cancel', queued.training.step);
    }
    const results = {
      ...(await readCurveResults(database.orm, id)),
      ...toResults(result, await toTrainerJob(queued, { dataDir, base, disk })),
      model_id: model,
    };
    await settle({
      status: 'succeeded',
      reason,
      results,
      training: { ...ENDED, can_resume: false, ended_at: now() },
    });
    await removeTried(database.orm, dataDir, id, 'done');
    if (isFolder) await keepOutput(dataDir, id);
    else await removeRunFolder(dataDir, id);
  }

  /** Why a trainer that nobody asked to end has failed. */
  function toFailure({ code, signal, problem, isGone }: TrainerEnd): string {
    const { failure } = recorder;
    if (failure !== null && isGone !== true)
      return [failure.reason, failure.what_to_do].filter((text) => text).join(' ');
    // Another machine says by itself what was wrong there.
    if (problem !== null && isRemote) return problem;
    if (problem !== null) return `The trainer could not be started: ${problem}. Check the command of --trainer.`;
    const said = recorder.lastLines.at(-1);
    const last = said === undefined ? ' It wrote no line.' : ` Its last line: ${said}`;
    if (signal !== null)
      return `The trainer was ended by the signal ${signal}${signal === 'SIGKILL' ? ', often because memory ran out' : ''}.${last}`;
    if (code === 0) return `The trainer ended without a result: it named no model.${last}`;
    return `The trainer ended with the exit code ${code}.${last}`;
  }

  /** The studio ends, which is no failed attempt of the run. */
  async function putBack(): Promise<void> {
    // A run that got further has no failed attempts any more.
    const attempts = recorder.isFurther ? 0 : queued.training.attempts;
    const isSaved = recorder.checkpoint !== null || queued.training.can_resume;
    await settle({ status: 'queued', reason: isSaved ? GOES_ON : null, training: { attempts } });
  }

  async function conclude(cause: Exclude<Cause, 'lost'> | null, end: TrainerEnd): Promise<void> {
    const { result } = recorder;
    const reason = recorder.hopeless ?? (typeof cause === 'object' ? cause?.failed : null) ?? null;
    if (reason !== null && typeof cause === 'object') return fail(reason);
    // A result that came before the wish to end it counts.
    if (result !== null && end.code === 0 && cause !== 'cancel') return succeed(result);
    const { checkpoint } = recorder;
    // Nobody here sent it: memory ran out, or an administrator ended it. What was saved is not lost.
    const isKilled = cause === null && (end.signal === 'SIGKILL' || end.signal === 'SIGTERM');
    const isSaved = checkpoint !== null || queued.training.can_resume;
    const isGone = cause === null && end.isGone === true;
    const goesOn = isGone || (isKilled && recorder.failure === null && isSaved);
    if (goesOn) {
      recorder.note(`${toFailure(end)} ${isSaved ? 'It goes on from its last checkpoint.' : 'It begins again.'}`);
      if ((await persist(() => recorder.flush())) === 'cancel') return stopped('cancel', queued.training.step);
    }
    if (cause === 'cancel' || cause === 'stop') return stopped(cause, checkpoint?.step ?? queued.training.step);
    if (cause === 'closing' && isRemote) return held.leave(database.orm, times.leaseMs);
    if (cause === 'closing') return putBack();
    if (goesOn || (cause === null && end.code === EXIT_RESUMABLE)) {
      await settle({ status: 'queued', reason: GOES_ON });
      return;
    }
    await fail(toFailure(end));
  }

  try {
    base = await deps.findBase(queued);
    await keepFile(database.orm, dataDir, toRunPath(id), id);
    folder = await prepareRunFolder(queued, { dataDir, base, disk, findRows: deps.findRows, isAdopted, held });
    if (closing.aborted) return isAdopted ? await held.leave(database.orm, times.leaseMs) : await putBack();
    held.check();
    const { command } = deps.trainer;
    if (isElsewhere)
      recorder.note(
        `Its checkpoint is not in ${dataDir}: another service trained it in its own data folder. So it begins anew. Give ` +
          'services on one database the same --data folder, and such runs go on from their checkpoints.',
      );
    recorder.note(
      isAdopted
        ? 'Its service has ended. The one that runs now goes on with it.'
        : `$ ${[...command, folder.jobFile].join(' ')}`,
    );
    const trainer = (deps.openProcess ?? openTrainerProcess)({
      command,
      jobFile: folder.jobFile,
      folder: folder.path,
      onLine: (line) => recorder.push(line),
      flush: () => recorder.flush(),
      held,
    });
    if (trainer.pid !== null) await noteProcess(folder, trainer.pid).catch(() => undefined);
    const { cause, end } = await watch(trainer);
    const wish = await storeLast(cause);
    isLost = wish === 'lost';
    if (wish === 'lost') return;
    // It is still ours, though its lease was over for a while: the run waits for the next one.
    await conclude(cause === 'lost' ? (wish ?? 'closing') : cause, end);
  } catch (error) {
    if (closing.aborted) return;
    // Whoever takes it next goes on from its checkpoint, once the lease has ended: others come first.
    isAway = error instanceof DatabaseUnavailable;
    if (isAway) throw error;
    const reason = error instanceof CannotTrain ? error.message : `The run could not go on: ${toReason(error)}.`;
    // Its lease was over for a while, which is no failure of the run; but another process may have it.
    const ending = error instanceof LeaseLost || held.signal.aborted ? putBack() : fail(reason);
    await ending.catch((late: unknown) => {
      isLost = late instanceof LeaseLost;
      if (!isLost) throw late;
    });
  } finally {
    held.stop();
    // Whatever went wrong: others may go on with it at once. The worker of a service that ends looks for another one.
    if (!isAway && !(isRemote && closing.aborted)) await held.release(database.orm).catch(() => undefined);
    // Another process goes on with it, or it was deleted.
    const isGone = isLost && (await findTraining(database.orm, id).catch(() => queued)) === null;
    if (isGone) await removeRunFolder(dataDir, id);
  }
}
