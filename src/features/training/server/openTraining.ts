// Opens trainings on the studio's database: the store of jobs, and the supervisor that trains them.
import { eq, isNull } from 'drizzle-orm';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { toNewTrainingType, type TrainingType } from '#features/training/shared/createJob.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { EngineError, type Engine, type ModelFile } from '#engine/engine.ts';
import type { Files } from '#service/files/files.ts';
import { findByName } from '#engine/modelNames.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { CATALOGUE } from '#features/experiments/server/catalogue.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { openLeases } from '#service/database/leases/leases.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { datasets, experiments, jobs, projects, snapshots } from '#service/database/tables.ts';
import { canPass } from '#service/database/unavailable.ts';
import { toBuiltInTrainer } from './builtInTrainer.ts';
import { cancelJob } from './cancelJob.ts';
import { findCurves } from './curves.ts';
import { listTriedRuns, removeRemains, removeTried } from './deploy.ts';
import { describeJob, describeProgress, readPlaces, type DescribeDeps } from './describe.ts';
import { keepFile, keepOlderFiles, listKeptOutputs, removeUnneeded } from './keptFiles.ts';
import { createJob, toRequestAgain } from './newJob.ts';
import { TIMES, type TrainingTimes } from './oneTraining.ts';
import { readLog } from './progressStore.ts';
import { endRun, findTraining, listRunning, listWaiting, reorder, resumeRun, type QueuedRun } from './queue.ts';
import type { FileLimits } from './outputFiles.ts';
import { checkQueueRoom } from './queueRoom.ts';
import {
  CannotTrain,
  keepOutput,
  listRunFolders,
  removeRunFolder,
  toRunFolder,
  toRunPath,
  toTrainerJob,
} from './runFolder.ts';
import { openSupervisor } from './supervisor.ts';
import type { Trainer, TrainingBase } from './trainer.ts';
import { findTakenFile, listSaved, readTakeAway, type DescribeModel, type Taken } from './takeAway.ts';
import { openWorkers } from './workers.ts';
import { readTrainableBases } from './trainableBases.ts';
import type { Training } from './training.ts';
import { trainings } from './trainingTables.ts';

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
  readonly describeModel: DescribeModel;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  readonly times?: TrainingTimes;
  /** Of the files that workers send. */
  readonly fileLimits?: FileLimits;
}

/** Of a run that is not started: its own is chosen then. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** How long a new model may take to load. */
const LOAD_MS = 120_000;

/** Loads a model once. What is wrong with it; null: nothing, or the machine has no room for it now. */
async function tryModel(engine: Pick<Engine, 'load'>, id: string): Promise<string | null> {
  try {
    const loaded = await engine.load(id, AbortSignal.timeout(LOAD_MS));
    return loaded === null ? 'The engine does not find it.' : null;
  } catch (error) {
    const isBusy = error instanceof EngineError && (error.status === 503 || error.status === 429);
    return isBusy ? null : toReason(error);
  }
}

/** Removes what is left of runs that can't go on, such as of one that ended while the studio was killed. */
async function sweep(options: TrainingOptions): Promise<void> {
  const { database, dataDir } = options;
  const { orm } = database;
  // Before the runs are read: another process makes the folder of a run after it has taken it.
  const folders = await listRunFolders(dataDir);
  const rows = await orm
    .select({ id: trainings.experiment_id, can_resume: trainings.can_resume, status: experiments.status })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    // The same run may be trained here for another database.
    .where(isNull(projects.imported_at));
  const goesOn = rows.filter((row) => isActiveStatus(row.status) || (row.can_resume && !isSucceeded(row.status)));
  const outputs = await listKeptOutputs(orm, dataDir);
  const kept = new Set(goesOn.map(({ id }) => id));
  const known = new Map(rows.map(({ id, status }) => [id, status]));
  // Folders of runs that the database does not know stay: the data folder may serve another database, too.
  for (const id of folders)
    if (kept.has(id)) await keepFile(orm, dataDir, toRunPath(id), id);
    else if (outputs.has(id) && isSucceeded(known.get(id))) await keepOutput(dataDir, id);
    else if (known.has(id)) await removeRunFolder(dataDir, id);
  for (const id of await listTriedRuns(orm))
    if (known.has(id) && !kept.has(id) && !isSucceeded(known.get(id))) await removeTried(orm, dataDir, id, 'none');
  await keepOlderFiles(orm, dataDir);
  await removeUnneeded(orm, dataDir);
}

export async function openTraining(options: TrainingOptions): Promise<Training> {
  const { database, dataDir, disk, trainer, listFiles, now, report, findNothingTrained = async () => null } = options;
  const { orm, guard } = database;

  async function findFile(name: string): Promise<TrainingBase | null> {
    const file = findByName(await listFiles(), name);
    return file && { id: name, file: file.path, adapter: file.adapter };
  }

  async function findBase({ run, training }: QueuedRun): Promise<TrainingBase> {
    const { base_model_id: id } = run;
    if (training.refinetune_from === null) return (await findFile(id)) ?? { id, file: null, adapter: null };
    const [source] = await orm.select().from(experiments).where(eq(experiments.id, training.refinetune_from));
    if (!source?.model_id) throw new CannotTrain('The run that it goes on from has no model any more.');
    const tuned = (await listFiles()).find((file) => file.id === source.model_id);
    return tuned
      ? { id, file: tuned.path, adapter: tuned.adapter }
      : { id: source.model_id, file: null, adapter: null };
  }

  async function isKnownBase(id: string): Promise<boolean> {
    if (CATALOGUE.some((base) => base.id === id) || (await findFile(id)) !== null) return true;
    // A trainer of a person's own may get its weights from a hub.
    const isOwn = trainer !== null && trainer.refuse === undefined;
    return (isOwn || workers.isAsked()) && id.includes('/');
  }

  /** The ids of the models that the trainer can start from; null: it decides for itself. */
  async function listTrainable(): Promise<string[] | null> {
    const refuse = trainer?.refuse;
    if (refuse === undefined) return null;
    const bases = (await listFiles()).map(({ id, path, adapter }) => ({ id, file: path, adapter }));
    const refusals = await Promise.all(bases.map((base) => refuse(base)));
    return bases.filter((_, at) => refusals[at] === null).map(({ id }) => id);
  }

  const times = options.times ?? TIMES;
  const leases = openLeases(database, 'training', times.leaseMs);
  await leases.endFormer();
  await sweep(options).catch((error: unknown) =>
    report(`The files of ended trainings could not be removed: ${toReason(error)}. The next start tries again.`),
  );
  let isRemoving = false;
  const removing = setInterval(() => {
    if (isRemoving) return;
    isRemoving = true;
    removeUnneeded(orm, dataDir)
      .catch((error: unknown) => {
        if (!canPass(error)) report(`Files of removed runs could not be removed: ${toReason(error)}.`);
      })
      .finally(() => (isRemoving = false));
  }, times.sweepMs);
  removing.unref();
  const shared = {
    ...options,
    leases,
    times,
    findBase,
    findRows: (id: string, bucket: RowBucket) => options.studio.findRows(id, bucket),
    tryModel: (id: string) => tryModel(options.engine, id),
  };
  const supervisor = openSupervisor(shared);
  const workers = openWorkers({ ...shared, builtIn: toBuiltInTrainer(disk) });
  const deps: DescribeDeps = { orm, trainer, findBase, hasWorkers: () => workers.isAsked() };

  /** null: there is no such experiment of this studio. */
  async function withRun(id: string, work: (queued: QueuedRun) => Promise<void>): Promise<true | null> {
    const queued = isUuid(id) ? await guard(() => findTraining(orm, id)) : null;
    if (queued === null) return null;
    await work(queued);
    supervisor.wake();
    return true;
  }

  /** What a run that has ended well left here; null: nothing. */
  async function findTaken(id: string): Promise<Taken | null> {
    const queued = isUuid(id) ? await guard(() => findTraining(orm, id)) : null;
    if (queued === null || !isSucceeded(queued.run.status)) return null;
    const model = (await listFiles()).find((each) => each.id === queued.run.model_id) ?? null;
    const saved = await listSaved(toRunFolder(dataDir, id).output);
    return model === null && saved.length === 0 ? null : { model, saved, problem: queued.training.reason };
  }

  async function end(queued: QueuedRun, wish: 'cancel' | 'stop'): Promise<void> {
    const isOver = await endRun(orm, queued, wish);
    if (isOver && wish === 'cancel') await removeRemains(options, queued.run.id);
  }

  const create: Training['createJob'] = async (request, key, askedBy = null) => {
    // A worker may have another trainer.
    const refuseType = (type: TrainingType) => (workers.isAsked() ? null : (trainer?.refuseType?.(type) ?? null));
    const known = { database, now, isKnownBase, refuseType, findNothingTrained };
    const id = await createJob(known, request, { key, askedBy });
    supervisor.wake();
    return id;
  };

  /** What runs of a job file: the program, its arguments, and the file itself. */
  const toCommand = (id: string, job: TrainerJob): { command: string[]; job: string } => ({
    command: [...(trainer?.command ?? []), toRunFolder(dataDir, id).jobFile],
    job: `${JSON.stringify(job, null, 2)}\n`,
  });

  return {
    createJob: create,
    previewJob: async (request) =>
      Promise.all(
        request.experiments.map(async (wanted) => {
          const type = toNewTrainingType(wanted);
          const run = { ...wanted, id: NO_ID };
          const training = { training_type: type, seed: 0, can_resume: false };
          const base = (await findFile(wanted.base_model_id)) ?? {
            id: wanted.base_model_id,
            file: null,
            adapter: null,
          };
          return toCommand(NO_ID, await toTrainerJob({ run, training }, { dataDir, base, disk }));
        }),
      ),
    async duplicateJob(jobId, key, askedBy) {
      const request = await guard(() => toRequestAgain(orm, jobId));
      return request && create(request, key, askedBy);
    },
    async cancelJob(jobId) {
      const left = await guard(() => cancelJob(orm, jobId));
      if (left === null) return null;
      supervisor.wake();
      for (const id of left) await removeRemains(options, id);
      return true;
    },
    endRun: (id, wish) => withRun(id, (queued) => end(queued, wish)),
    resumeRun: (id) =>
      withRun(id, async (queued) => {
        await checkQueueRoom(orm, 1, queued.training.asked_by);
        await resumeRun(orm, queued);
      }),
    readQueue: () =>
      guard(async () => {
        const places = await readPlaces(deps);
        const waiting = await listWaiting(orm);
        return {
          trainer: trainer && { name: trainer.name, trains_only: await listTrainable() },
          has_workers: workers.isAsked(),
          running: await listRunning(orm),
          waiting: waiting.slice(0, JOB_LIMITS.waiting).map(({ run }, at) => ({
            experiment_id: run.id,
            job_id: run.job_id,
            position: at + 1,
            reason: places.get(run.id)?.reason ?? null,
          })),
        };
      }),
    listBases: () => guard(async () => readTrainableBases(orm, await listFiles(), trainer, { dataDir, disk })),
    async reorder(ids) {
      await guard(() => reorder(orm, ids));
      supervisor.wake();
    },
    findProgress: async (id, since) => (isUuid(id) ? guard(() => describeProgress(deps, id, since)) : null),
    findLog: async (id, from) => (isUuid(id) ? guard(() => readLog(orm, id, from)) : null),
    async findCommand(id) {
      const queued = isUuid(id) ? await guard(() => findTraining(orm, id)) : null;
      if (queued === null) return null;
      const base = await findBase(queued).catch(() => ({ id: queued.run.base_model_id, file: null, adapter: null }));
      return toCommand(id, await toTrainerJob(queued, { dataDir, base, disk }));
    },
    async findTakeAway(id) {
      const taken = await findTaken(id);
      return taken && readTakeAway(taken, options.describeModel);
    },
    async findTakenFile(id, name) {
      const taken = await findTaken(id);
      return taken && findTakenFile(taken, name, options.describeModel);
    },
    describeJob: (job) => guard(() => describeJob(deps, job)),
    findCurves: (request) => findCurves(database, request),
    workers,
    async close() {
      clearInterval(removing);
      // In parallel: each waits for its trainers to save a checkpoint.
      const ends = [workers.close(), supervisor.close()];
      await Promise.all(ends).catch((error: unknown) => report(`A training did not end cleanly: ${toReason(error)}`));
    },
  };
}
