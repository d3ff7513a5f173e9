// One run from its claim to its end: the folder, the trainer's process, its lines, what people want of it, the result.
import { toPauseStep, type TrainerEventOf, type TrainerResult } from '#trainer/protocol/trainerProtocol.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { toRungShare } from '#features/training/shared/halving.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { Files } from '#service/files/files.ts';
import type { HeldLease, Leases } from '#service/database/leases/leases.ts';
import type { SnapshotRows } from '#features/datasets/server/rows/snapshotRows.ts';
import { canPass, DatabaseUnavailable } from '#service/database/unavailable.ts';
import { deployModel, deployResult, keepForms, removeRemains, removeTried } from './deploy.ts';
import { changeStatus, type Change, type Results } from './jobStates.ts';
import { removeModel } from './modelFiles.ts';
import { findTraining, type ClaimedRun, type QueuedRun } from './queue.ts';
import { keepFile } from './keptFiles.ts';
import { Recorder } from './recorder.ts';
import { readCurveResults, toResults } from './results.ts';
import { GOES_ON, PAUSED, toRunEnding, toStopReason } from './runEnding.ts';
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
import { openTrainerProcess, type TrainerProcess, type TrainerProcessOptions } from './trainerProcess.ts';
import { sleep, watchTrainer, type Cause, type RunState } from './watchTrainer.ts';

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

/**
 * What a trainer's process is opened with, how its lines are stored, and what a sign of life without a line is told: `flush`
 * says whether the run is still ours.
 */
export type OpenTrainer = (
  options: TrainerProcessOptions & Pick<Recorder, 'flush' | 'noteLife'> & { readonly held: HeldLease },
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

/** What there is of a run once its folder is prepared. */
interface Prepared {
  readonly folder: RunFolder;
  readonly base: TrainingBase;
}

class OneTraining {
  readonly #deps: OneTrainingDeps;
  readonly #queued: QueuedRun;
  readonly #id: string;
  readonly #isRemote: boolean;
  readonly #state: RunState = { wish: null, isDeleted: false, isLost: false };
  readonly #held: HeldLease;
  readonly #recorder: Recorder;
  #prepared: Prepared | null = null;

  constructor(deps: OneTrainingDeps, claimed: ClaimedRun, queued: QueuedRun) {
    const { database, now, isAdopted = false } = deps;
    this.#deps = deps;
    this.#queued = queued;
    this.#id = queued.run.id;
    this.#isRemote = deps.openProcess !== undefined;
    // Also while rows are written and models are copied, which may take longer than a lease.
    this.#held = deps.leases.hold(claimed.lease, async () => {
      const found = await findTraining(database.orm, this.#id);
      this.#state.wish = found?.training.wish ?? null;
      this.#state.isDeleted = found === null;
    });
    const held = this.#held;
    this.#recorder = new Recorder({ database, queued, held, now, isAdopted, toModel: (event) => this.#toTried(event) });
  }

  /** Also of earlier attempts. */
  get #isSaved(): boolean {
    return this.#recorder.checkpoint !== null || this.#queued.training.can_resume;
  }

  /** It has saved what the other candidates of its job are compared with. */
  get #isAtRung(): boolean {
    const { halving } = this.#queued.training;
    const { checkpoint, steps } = this.#recorder;
    if (halving?.rung == null || checkpoint === null || steps === null) return false;
    return checkpoint.step >= toPauseStep(toRungShare(halving, halving.rung), steps);
  }

  /** `isElsewhere`: its checkpoint is not in this data folder. */
  async train(isElsewhere: boolean): Promise<void> {
    const { closing, database } = this.#deps;
    let isAway = false;
    try {
      await this.#run(isElsewhere);
    } catch (error) {
      if (closing.aborted) return;
      // Whoever takes it next goes on from its checkpoint, once the lease has ended: others come first.
      isAway = error instanceof DatabaseUnavailable;
      if (isAway) throw error;
      const reason = error instanceof CannotTrain ? error.message : `The run could not go on: ${toReason(error)}.`;
      // Its lease was over for a while, which is no failure of the run; but another process may have it.
      const ending = error instanceof LeaseLost || this.#held.signal.aborted ? this.#putBack() : this.#fail(reason);
      await ending.catch((late: unknown) => {
        this.#state.isLost = late instanceof LeaseLost;
        if (!this.#state.isLost) throw late;
      });
    } finally {
      this.#held.stop();
      // Whatever went wrong: others may go on with it at once. The worker of a service that ends looks for another one.
      if (!isAway && !(this.#isRemote && closing.aborted))
        await this.#held.release(database.orm).catch(() => undefined);
      // Another process goes on with it, or it was deleted.
      if (this.#state.isLost && (await findTraining(database.orm, this.#id).catch(() => this.#queued)) === null)
        await removeRunFolder(this.#deps.dataDir, this.#id);
    }
  }

  async #run(isElsewhere: boolean): Promise<void> {
    const { database, dataDir, disk, times, closing, findRows, isAdopted = false } = this.#deps;
    const [held, recorder] = [this.#held, this.#recorder];
    const base = await this.#deps.findBase(this.#queued);
    await keepFile(database.orm, dataDir, toRunPath(this.#id), this.#id);
    const folder = await prepareRunFolder(this.#queued, { dataDir, base, disk, findRows, isAdopted, held });
    this.#prepared = { folder, base };
    if (closing.aborted) return isAdopted ? held.leave(database.orm, times.leaseMs) : this.#putBack();
    held.check();
    const trainer = await this.#start(folder, isElsewhere);
    const [state, isRemote] = [this.#state, this.#isRemote];
    const { cause, end } = await watchTrainer({ ...this.#deps, trainer, recorder, held, state, isRemote });
    const wish = await this.#storeLast(cause);
    state.isLost = wish === 'lost';
    if (wish === 'lost') return;
    // It is still ours, though its lease was over for a while: the run waits for the next one.
    const known = cause === 'lost' ? (wish ?? 'closing') : cause;
    const ending = toRunEnding({
      cause: known,
      end,
      isRemote,
      isSaved: this.#isSaved,
      isAtRung: this.#isAtRung,
      said: recorder,
    });
    switch (ending.kind) {
      case 'failed':
        return this.#fail(ending.reason);
      case 'succeeded':
        return this.#succeed(ending.result, { folder, base });
      case 'stopped':
        return this.#stopped(ending.cause, recorder.checkpoint?.step);
      case 'leave':
        return held.leave(database.orm, times.leaseMs);
      case 'put back':
        return this.#putBack();
      case 'paused':
        await this.#settle({ status: 'pending', reason: PAUSED, training: { attempts: 0, seconds_left: null } });
        return;
      case 'again':
        if (ending.note !== null) {
          recorder.note(ending.note);
          if ((await this.#persist(() => recorder.flush())) === 'cancel') return this.#stopped('cancel');
        }
        await this.#settle({ status: 'queued', reason: GOES_ON });
    }
  }

  async #start(folder: RunFolder, isElsewhere: boolean): Promise<TrainerProcess> {
    const { dataDir, trainer, isAdopted = false, openProcess = openTrainerProcess } = this.#deps;
    const { command } = trainer;
    const { jobFile } = folder;
    const recorder = this.#recorder;
    if (isElsewhere)
      recorder.note(
        `Its checkpoint is not in ${dataDir}: another service trained it in its own data folder. So it begins anew. Give ` +
          'services on one database the same --data folder, and such runs go on from their checkpoints.',
      );
    recorder.note(
      isAdopted
        ? 'Its service has ended. The one that runs now goes on with it.'
        : `$ ${[...command, jobFile].join(' ')}`,
    );
    const opened = openProcess({
      command,
      jobFile,
      folder: folder.path,
      onLine: (line) => recorder.push(line),
      flush: () => recorder.flush(),
      noteLife: () => recorder.noteLife(),
      held: this.#held,
    });
    if (opened.pid !== null) await noteProcess(folder, opened.pid).catch(() => undefined);
    return opened;
  }

  /** The model of a checkpoint, to be tried; null: there is none. */
  async #toTried({ step, model }: TrainerEventOf<'checkpoint'>): Promise<string | null> {
    const { database, dataDir, disk, now } = this.#deps;
    if (model == null || this.#prepared === null) return null;
    const options = { ...this.#prepared, dataDir, queued: this.#queued, disk, now, step };
    const made = await deployModel(this.#held, model, options).catch((error: unknown) => {
      this.#recorder.note(`The checkpoint of step ${step} can't be tried: ${toReason(error)}`);
      return null;
    });
    // The models that are too many go later.
    if (made !== null) await removeTried(database.orm, dataDir, this.#id, 'going').catch(() => undefined);
    return made?.id ?? null;
  }

  /**
   * Does work on the database. Waits for one that is away as long as a lease lasts, and then throws DatabaseUnavailable:
   * another process may have the run. What the database refuses is thrown at once, and so is LeaseLost.
   */
  async #persist<T>(work: () => Promise<T>): Promise<T> {
    const { times, closing, report } = this.#deps;
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
  #settle(change: Change): Promise<boolean> {
    const at = this.#deps.now();
    return this.#persist(() =>
      this.#held.write(async (orm) => {
        if (change.status !== 'deploying') await this.#held.release(orm);
        return changeStatus(orm, this.#id, change, at);
      }),
    );
  }

  /** The last lines. A run that people end ends also when they can't be stored; of a cancelled one nothing is kept. */
  async #storeLast(cause: Cause | null): ReturnType<Recorder['flush']> {
    const recorder = this.#recorder;
    if (cause === 'cancel') return recorder.flush().catch(() => null);
    return this.#persist(() => recorder.flush()).catch((error: unknown) => {
      if (cause === 'stop' && !this.#deps.closing.aborted) return null;
      throw error;
    });
  }

  #readResults(): Promise<Results> {
    return readCurveResults(this.#deps.database.orm, this.#id).catch(() => ({}));
  }

  async #fail(reason: string): Promise<void> {
    const { database, dataDir } = this.#deps;
    const failed: Change = { status: 'failed', reason };
    await this.#settle({ ...failed, results: await this.#readResults() }).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) throw error;
      return this.#settle({ ...failed, reason: `Its end could not be recorded: ${toReason(error)}.` });
    });
    await removeTried(database.orm, dataDir, this.#id, 'none').catch(() => undefined);
  }

  async #stopped(cause: 'cancel' | 'stop', step = this.#queued.training.step): Promise<void> {
    const canResume = cause === 'stop' && this.#isSaved;
    const reason = toStopReason(cause, step, this.#state.isDeleted, canResume);
    const results = await this.#readResults();
    await this.#settle({ status: 'stopped', reason, results, training: { can_resume: canResume } });
    if (!canResume) await removeRemains(this.#deps, this.#id);
  }

  async #succeed(result: TrainerResult, { folder, base }: Prepared): Promise<void> {
    const { database, dataDir, disk, now, tryModel } = this.#deps;
    const [id, queued, held, recorder] = [this.#id, this.#queued, this.#held, this.#recorder];
    if (!(await this.#settle({ status: 'deploying', reason: null }))) return;
    const isFolder = 'folder' in result.model;
    const options = { dataDir, folder, queued, base, disk, now };
    const { id: model, file, reason } = await deployResult(held, result.model, options, tryModel);
    held.check();
    const told = reason === null ? [] : [reason];
    if (isFolder) await keepFile(database.orm, dataDir, toOutputPath(id), id);
    if (file !== null) await keepForms({ dataDir, folder, disk }, file, result.files, (text) => told.push(text));
    for (const text of told) recorder.note(text);
    // Somebody may have cancelled it meanwhile, and nothing of a cancelled run is kept.
    if ((await this.#persist(() => recorder.flush())) === 'cancel' || this.#state.isDeleted) {
      if (file !== null && model !== null) await removeModel(database.orm, dataDir, model);
      return this.#stopped('cancel');
    }
    const results = {
      ...(await readCurveResults(database.orm, id)),
      ...toResults(result, await toTrainerJob(queued, { dataDir, base, disk })),
      model_id: model,
    };
    await this.#settle({ status: 'succeeded', reason, results, training: { can_resume: false } });
    await removeTried(database.orm, dataDir, id, 'done');
    if (isFolder) await keepOutput(dataDir, id);
    else await removeRunFolder(dataDir, id);
  }

  /** The studio ends, which is no failed attempt of the run. */
  async #putBack(): Promise<void> {
    // A run that got further has no failed attempts any more.
    const attempts = this.#recorder.isFurther ? 0 : this.#queued.training.attempts;
    await this.#settle({ status: 'queued', reason: this.#isSaved ? GOES_ON : null, training: { attempts } });
  }
}

export async function trainOne(deps: OneTrainingDeps, claimed: ClaimedRun): Promise<void> {
  const { training, run } = claimed;
  const isElsewhere = !deps.isAdopted && training.can_resume && !(await hasOutput(deps.dataDir, run.id));
  const queued = isElsewhere ? { ...claimed, training: { ...training, can_resume: false } } : claimed;
  await new OneTraining(deps, claimed, queued).train(isElsewhere);
}
