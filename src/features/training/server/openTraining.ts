// Jobs and trainings on the studio's database, as the service asks for them.
import { toChosen, type ChosenSettings, type Objective } from '#core/contract/trainingSettings.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import type { Job } from '#core/contract/job.ts';
import type { CurveRequest } from '#features/runs/shared/runs.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { toRunHalving } from '#features/training/shared/halving.ts';
import { toNewTrainingType, type CreateJob, type TrainingType } from '#features/training/shared/createJob.ts';
import type {
  TrainingBases,
  TrainingLog,
  TrainingObjectives,
  TrainingProgress,
  TrainingQueue,
} from '#features/training/shared/trainingRecords.ts';
import type { Launchers } from '#features/training/shared/launchers.ts';
import type { TakeAway } from '#features/training/shared/serveElsewhereFiles.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import type { Engine, ModelFile } from '#engine/engine.ts';
import type { Files } from '#service/files/files.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { openLeases, type Leases } from '#service/database/leases/leases.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { openBaseFinder, type BaseFinder } from './baseFinder.ts';
import { toBuiltInTrainer } from './builtInTrainer.ts';
import { cancelJob } from './cancelJob.ts';
import { findCurves, type FoundCurves } from './curves.ts';
import { removeRemains } from './deploy.ts';
import { describeJob, describeProgress, describeWaiting, type DescribeDeps } from './describe.ts';
import { createJob, toRequestAgain } from './newJob.ts';
import { readModules } from './newJobSettings.ts';
import { TIMES, type TrainingTimes } from './oneTraining.ts';
import { readLog } from './progressStore.ts';
import { endRun, findTraining, hasExperiment, listRunning, reorder, resumeRun, type QueuedRun } from './queue.ts';
import { findRunOfToken } from './launchers/launches.ts';
import { openLaunchers, type LaunchersOptions, type OpenLaunchers } from './launchers/openLaunchers.ts';
import { describeObjectives, findMisfit, toFirstRunFinder, type FindRowKinds } from './objectives.ts';
import type { FileLimits } from './outputFiles.ts';
import { checkQueueRoom } from './queueRoom.ts';
import { toRunFolder, toTrainerJob } from './runFolder.ts';
import { openSupervisor, type Supervisor } from './supervisor.ts';
import { openSweep } from './sweep.ts';
import { findBaseProblem } from '#features/training/shared/baseProblem.ts';
import { findObjectiveRefusal, NO_PAUSE, TrainingProblem, type Trainer } from './trainer.ts';
import {
  findTakenFile,
  listSaved,
  readTakeAway,
  type DescribeModel,
  type Taken,
  type TakenContent,
} from './serveElsewhere.ts';
import { readTrainableBases } from './trainableBases.ts';
import { openWebhook, type OpenWebhook, type WebhookOptions } from './webhook.ts';
import { tryModel } from './tryModel.ts';
import { Workers } from './workers.ts';

export interface TrainingOptions {
  readonly database: Database;
  readonly dataDir: string;
  /** Asks about files of base models, and about what a trainer names. */
  readonly disk?: Files | undefined;
  readonly trainer: Trainer | null;
  readonly studio: Pick<Studio, 'findRows'>;
  /** All models that are served here from files. */
  readonly listFiles: () => Promise<readonly ModelFile[]>;
  readonly engine: Pick<Engine, 'load'>;
  /** Why a base model would learn nothing of a snapshot; null: it would, or that is not known. */
  readonly findNothingTrained?: (snapshotId: string, baseModel: string) => Promise<string | null>;
  /** Missing: nothing is known of rows. */
  readonly findRowKinds?: FindRowKinds;
  readonly describeModel: DescribeModel;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  readonly times?: TrainingTimes;
  /** What places runs on other machines; missing: nothing. */
  readonly launchers?: LaunchersOptions;
  /** What hears of ends of runs; missing: nothing. */
  readonly webhook?: WebhookOptions | null | undefined;
  /** Of the files that workers send. */
  readonly fileLimits?: FileLimits;
}

const NO_KINDS: FindRowKinds = async () => null;
/** Of a run that is not started: its own is chosen then. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** The program, its arguments, and the job file of a run. */
interface RunCommand {
  readonly command: string[];
  readonly job: string;
}

interface TrainingParts {
  readonly leases: Leases;
  readonly times: TrainingTimes;
  readonly launchers: OpenLaunchers;
  readonly endSweep: () => void;
  readonly webhook: OpenWebhook;
}

/** What changes something throws TrainingProblem; null: there is no such job or experiment. */
export class Training {
  readonly #options: TrainingOptions;
  readonly #orm: Database['orm'];
  readonly #guard: Database['guard'];
  readonly #bases: BaseFinder;
  readonly #supervisor: Supervisor;
  readonly #describing: DescribeDeps;
  readonly #launchers: OpenLaunchers;
  readonly #endSweep: () => void;
  readonly #webhook: OpenWebhook;
  /** Machines elsewhere that train for this studio. */
  readonly workers: Workers;

  constructor(options: TrainingOptions, { leases, times, endSweep, launchers, webhook }: TrainingParts) {
    const { database, engine, studio, listFiles, trainer, disk } = options;
    const { orm } = database;
    const hasWorkers = (): boolean => this.workers.isAsked;
    // A launcher may have any trainer.
    const hasOthers = (): boolean => hasWorkers() || launchers.names.length > 0;
    const bases = openBaseFinder({ orm, listFiles, trainer, hasWorkers: hasOthers });
    const shared = {
      ...options,
      leases,
      times,
      findBase: bases.findBase,
      findRows: studio.findRows,
      tryModel: (id: string) => tryModel(engine, id),
    };
    this.#options = options;
    this.#orm = orm;
    this.#guard = database.guard;
    this.#bases = bases;
    this.#endSweep = endSweep;
    this.#launchers = launchers;
    this.#webhook = webhook;
    this.#describing = { orm, trainer, findBase: bases.findBase, hasWorkers, refuseLauncher: launchers.refuse };
    this.#supervisor = openSupervisor(shared);
    this.workers = new Workers({ ...shared, builtIn: toBuiltInTrainer(disk) });
  }

  /**
   * Resolves to the job's id. The same key and request give the same job again. `askedBy`: the name of the token; null or
   * missing: the studio's own.
   */
  async createJob(request: CreateJob, key: string | null, askedBy: string | null = null): Promise<string> {
    const { database, now, trainer, findNothingTrained = async () => null, findRowKinds = NO_KINDS } = this.#options;
    // A worker may have another trainer.
    const isElsewhere = this.workers.isAsked || request.studio?.launcher != null;
    const refuseType = (type: TrainingType) => (isElsewhere ? null : (trainer?.refuseType?.(type) ?? null));
    const refusedSettings = isElsewhere ? {} : (trainer?.refusedSettings ?? {});
    const known = {
      database,
      now,
      launchers: this.#launchers,
      isKnownBase: this.#bases.isKnown,
      refuseType,
      refusedSettings,
      refusePause: this.workers.isAsked || trainer?.canPause === true ? null : NO_PAUSE,
      refuseObjective: (chosen: ChosenSettings) =>
        trainer === null || isElsewhere ? null : findObjectiveRefusal(trainer, chosen),
      findMisfit: (snapshot: string, objective: Objective) => findMisfit(findRowKinds, snapshot, objective),
      findModules: this.#findModules,
      findNothingTrained,
    };
    const id = await createJob(known, request, { key, askedBy });
    this.#wake();
    return id;
  }

  /** What its experiments would run. Nothing is stored. */
  async previewJob(request: CreateJob): Promise<RunCommand[]> {
    const { dataDir, disk } = this.#options;
    return Promise.all(
      request.experiments.map(async (wanted) => {
        const run = { ...wanted, id: NO_ID };
        const training = {
          training_type: toNewTrainingType(wanted),
          seed: wanted.seed ?? 0,
          can_resume: false,
          chosen: toChosen(wanted),
          halving: toRunHalving(request),
        };
        const base = await this.#bases.findNamed(wanted.base_model_id);
        return this.#toCommand(NO_ID, await toTrainerJob({ run, training }, { dataDir, base, disk }));
      }),
    );
  }

  /** The same runs once more, as a new job. */
  async duplicateJob(jobId: string, key: string | null, askedBy?: string | null): Promise<string | null> {
    const request = await this.#guard(() => toRequestAgain(this.#orm, jobId));
    return request && this.createJob(request, key, askedBy);
  }

  /** Ends all of its runs that have not ended. */
  async cancelJob(jobId: string): Promise<true | null> {
    const left = await this.#guard(() => cancelJob(this.#orm, jobId, this.#options.now()));
    if (left === null) return null;
    this.#wake();
    for (const id of left) await removeRemains(this.#options, id);
    return true;
  }

  /** `stop` keeps the last checkpoint, `cancel` nothing. */
  endRun(experimentId: string, wish: 'cancel' | 'stop'): Promise<true | null> {
    return this.#change(experimentId, async (queued) => {
      const isOver = await endRun(this.#orm, queued, wish, this.#options.now());
      if (isOver && wish === 'cancel') await removeRemains(this.#options, queued.run.id);
    });
  }

  resumeRun(experimentId: string): Promise<true | null> {
    return this.#change(experimentId, async (queued) => {
      const { launcher } = queued.training;
      const refusal = launcher === null ? null : this.#launchers.refuse(launcher);
      if (refusal !== null) throw new TrainingProblem(409, refusal, 'unreachable_studio', 'experimentId');
      await checkQueueRoom(this.#orm, 1, queued.training.asked_by);
      await resumeRun(this.#orm, queued, this.#options.now());
    });
  }

  readQueue(): Promise<TrainingQueue> {
    const { trainer } = this.#options;
    return this.#guard(async () => {
      return {
        trainer: trainer && {
          name: trainer.name,
          trains_only: await this.#bases.listTrainable(),
          refused_settings: { ...trainer.refusedSettings },
          can_pause: trainer.canPause === true,
        },
        has_workers: this.workers.isAsked,
        running: await listRunning(this.#orm),
        waiting: await describeWaiting(this.#describing),
      };
    });
  }

  listLaunchers(): Promise<Launchers> {
    return this.#launchers.describe();
  }

  /** The experiment of a run's own worker, by the hash of its token; null: there is no such token. */
  findRunOfToken(hash: string): Promise<string | null> {
    return findRunOfToken(this.#options.database, hash);
  }

  /** The models with files here, as a training would start from them. */
  listBases(): Promise<TrainingBases> {
    const { listFiles, trainer, dataDir, disk } = this.#options;
    return this.#guard(async () => readTrainableBases(this.#orm, await listFiles(), trainer, { dataDir, disk }));
  }

  /** By base model why a run of it would wait here; null: it can be trained. */
  async findWaits(): Promise<(base: string) => string | null> {
    const [queue, bases] = [await this.readQueue(), await this.listBases()];
    return (base) => findBaseProblem(base, queue, bases);
  }

  /** What a training of a snapshot may learn from; null: there is no such snapshot. */
  async describeObjectives(snapshotId: string): Promise<TrainingObjectives | null> {
    const { database, findRowKinds = NO_KINDS } = this.#options;
    const trainer = this.workers.isAsked ? null : this.#options.trainer;
    return describeObjectives(findRowKinds, snapshotId.toLowerCase(), trainer, toFirstRunFinder(database));
  }

  /** Puts these first. */
  async reorder(experimentIds: readonly string[]): Promise<void> {
    await this.#guard(() => reorder(this.#orm, experimentIds));
    this.#wake();
  }

  hasExperiment(id: string): Promise<true | null> {
    return this.#guard(() => hasExperiment(this.#orm, id));
  }

  /** What came after step `since`; null: this studio does not train it. */
  async findProgress(id: string, since: number): Promise<TrainingProgress | null> {
    return isUuid(id) ? this.#guard(() => describeProgress(this.#describing, id, since)) : null;
  }

  async findLog(id: string, from: number): Promise<TrainingLog | null> {
    return isUuid(id) ? this.#guard(() => readLog(this.#orm, id, from)) : null;
  }

  async findCommand(id: string): Promise<RunCommand | null> {
    const { dataDir, disk } = this.#options;
    const queued = await this.#find(id);
    if (queued === null) return null;
    const none = { id: queued.run.base_model_id, file: null, adapter: null };
    const base = await this.#bases.findBase(queued).catch(() => none);
    return this.#toCommand(id, await toTrainerJob(queued, { dataDir, base, disk }));
  }

  /** How to serve a run's model elsewhere; null: there is no such run, or its model is no file here. */
  async findTakeAway(id: string): Promise<TakeAway | null> {
    const taken = await this.#findTaken(id);
    return taken && readTakeAway(taken, this.#options.describeModel);
  }

  /** One of its files by its name; null: there is none. */
  async findTakenFile(id: string, name: string): Promise<TakenContent | null> {
    const taken = await this.#findTaken(id);
    return taken && findTakenFile(taken, name, this.#options.describeModel);
  }

  /** Adds to a job what is known of its trainings. */
  describeJob(job: Job): Promise<Job> {
    return this.#guard(() => describeJob(this.#describing, job));
  }

  /** The curves of those runs that this studio trains or trained. */
  findCurves(request: CurveRequest): Promise<FoundCurves> {
    return findCurves(this.#options.database, request);
  }

  /** Ends the running trainer; its run goes on when the studio starts again. */
  async close(): Promise<void> {
    this.#endSweep();
    // In parallel: each waits for its trainers to save a checkpoint.
    await Promise.all([this.workers.close(), this.#supervisor.close(), this.#launchers.close()]).catch(
      (error: unknown) => this.#options.report(`A training did not end cleanly: ${toReason(error)}`),
    );
    // What has just ended is told after the next start.
    await this.#webhook.close();
  }

  #wake(): void {
    this.#supervisor.wake();
    this.#launchers.wake();
  }

  async #find(id: string): Promise<QueuedRun | null> {
    return isUuid(id) ? this.#guard(() => findTraining(this.#orm, id)) : null;
  }

  async #change(id: string, work: (queued: QueuedRun) => Promise<void>): Promise<true | null> {
    const queued = await this.#find(id);
    if (queued === null) return null;
    await work(queued);
    this.#wake();
    return true;
  }

  /** What a run that has ended well left here; null: nothing. */
  async #findTaken(id: string): Promise<Taken | null> {
    const { listFiles, dataDir } = this.#options;
    const queued = await this.#find(id);
    if (queued === null || !isSucceeded(queued.run.status)) return null;
    const model = (await listFiles()).find((each) => each.id === queued.run.model_id) ?? null;
    const saved = await listSaved(toRunFolder(dataDir, id).output);
    return model === null && saved.length === 0 ? null : { model, saved, problem: queued.training.reason };
  }

  /** The names of the matrices that an adapter of this base can have; null: not known. */
  readonly #findModules = async (base: string): Promise<readonly string[] | null> => {
    const { file } = await this.#bases.findNamed(base);
    return file === null ? null : readModules(file, this.#options.disk).catch(() => null);
  };

  #toCommand(id: string, job: TrainerJob): RunCommand {
    const { trainer, dataDir } = this.#options;
    return {
      command: [...(trainer?.command ?? []), toRunFolder(dataDir, id).jobFile],
      job: `${JSON.stringify(job, null, 2)}\n`,
    };
  }
}

/** Begins to train what waits. */
export async function openTraining(options: TrainingOptions): Promise<Training> {
  const { times = TIMES } = options;
  const { leaseMs } = times;
  const leases = openLeases(options.database, 'training', leaseMs);
  await leases.endFormer();
  const launchers = await openLaunchers(options.launchers, { ...options, leaseMs });
  const webhook = await openWebhook(options.webhook, { ...options, leaseMs });
  return new Training(options, {
    leases,
    times,
    launchers,
    webhook,
    endSweep: await openSweep(options, times.sweepMs),
  });
}
