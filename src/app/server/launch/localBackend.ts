// Local mode: the studio's database and the engines, opened together. Loaded only in this mode.
import { join } from 'node:path';
import { openActivityLog, type ActivityLog } from '#features/access/server/activityLog.ts';
import { openTableTokens } from '#features/access/server/tableTokens.ts';
import { askModel } from '#engine/askModel.ts';
import type { Engine, ModelFile } from '#engine/engine.ts';
import { openFiles } from '#service/files/openFiles.ts';
import type { Files } from '#service/files/files.ts';
import { ModelFileError } from '#engine/modelFiles.ts';
import { findByName, IMPORTED } from '#engine/modelNames.ts';
import { toPublicAddress } from '#service/database/openPostgres.ts';
import { openStudio, type OpenedStudio } from '#app/server/openStudio.ts';
import { SAMPLE_FOLDER } from '#features/projects/server/sampleFiles.ts';
import { type Studio } from '#features/projects/server/studio.ts';
import { StartError } from '#service/database/startError.ts';
import type { Route } from '#service/http/route.ts';
import { openData, type Data } from '#features/datasets/server/openData.ts';
import { toActivityRoutes } from '#features/access/server/routes/activityRoutes.ts';
import { readStudioMetrics } from '#app/server/metrics/studioMetrics.ts';
import { toDataRoutes } from '#features/datasets/server/routes/dataRoutes.ts';
import { toTransferRoutes } from '#features/project-files/server/routes/transferRoutes.ts';
import type { Backend, BackendDeps, Readiness } from '#app/server/backend.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { openRuns } from '#features/runs/server/runsClient.ts';
import { toEvaluatedRuns, toEvaluatedStudio } from '#features/evaluation/server/evaluatedStudio.ts';
import { toEvaluationRoutes } from '#features/evaluation/server/evaluationRoutes.ts';
import { openEvaluations, type Evaluations } from '#features/evaluation/server/openEvaluations.ts';
import { openRowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { findCheckpoint, toServedRuns } from '#features/serving/server/servedRuns.ts';
import { toAnnounced, toTrainerName } from '#features/training/server/trainers/namedTrainers.ts';
import { toBuiltInTrainer } from '#features/training/server/builtInTrainer.ts';
import { readLaunchers } from '#features/training/server/launchers/launcherFile.ts';
import { findAddressProblem } from '#features/training/server/launchers/openLaunchers.ts';
import type { Launcher } from '#features/training/server/launchers/launcher.ts';
import type { Trainer } from '#features/training/server/trainer.ts';
import { TIMES } from '#features/training/server/oneTraining.ts';
import { openTraining, type Training } from '#features/training/server/openTraining.ts';
import { openTransfer, type Transfer } from '#features/project-files/server/transfer.ts';
import { toModelRoutes } from '#features/training/server/routes/modelRoutes.ts';
import { toTrainedRuns, toTrainedStudio } from '#features/training/server/routes/trainedStudio.ts';
import { toWorkerRoutes } from '#features/training/server/routes/workerRoutes.ts';
import { toTrainingRoutes } from '#features/training/server/routes/trainingRoutes.ts';
import type { Teacher } from '#features/datasets/server/synthetic/generations.ts';
import { openTraces, type Traces } from '#features/traces/server/openTraces.ts';
import { toTraceRoutes } from '#features/traces/server/traceRoutes.ts';
import type { LocalSettings } from './settings.ts';
import { listImportedJobs } from './importedJobs.ts';
import { openLocalModels, readOwnModels, type LocalModels } from './localModels.ts';
import { listRunNodes } from './runNodes.ts';
import { listUsedRuns } from './usedRuns.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { toLibraryRoutes } from '#features/playground/server/libraryRoutes.ts';
import { toServingRoutes } from '#features/serving/server/servingRoutes.ts';
import { checkWithin } from '#app/server/readiness.ts';

const WARM_UP_MS = 30_000;
/** The page that a person opens comes first: loading llama.cpp takes a second of processor time. */
const WARM_UP_AFTER_MS = 2_000;

/**
 * Loads the studio's small base model, so that nobody waits for llama.cpp at the first message. That message also
 * reports a failure.
 */
async function warmUp(engine: Engine, studio: Studio): Promise<void> {
  const first = (await studio.listModelFiles()).find(({ owned_by }) => owned_by !== IMPORTED);
  if (first) await engine.load(first.id, AbortSignal.timeout(WARM_UP_MS)).catch(() => null);
}

/** Whether the database and every engine answer now. */
export async function checkReadiness(
  studio: Pick<Studio, 'checkDatabase'>,
  engine: Pick<Engine, 'check'>,
): Promise<Readiness> {
  const checks = [checkWithin(() => studio.checkDatabase()), checkWithin(() => engine.check())] as const;
  const [database, engines] = await Promise.all(checks);
  return { database, engine: engines };
}

type Close = () => Promise<unknown>;

/** What is open. */
interface Closers {
  readonly beside: Close[];
  /** What writes to the database. */
  readonly onDatabase: Close[];
  readonly database: Close;
}

/** In parallel, so that neither uses up the other's time. Throws the first failure. */
async function closeAll({ beside, onDatabase, database }: Closers): Promise<void> {
  // A training is put back into the queue of the database.
  const closeDatabase = Promise.allSettled(onDatabase.map((close) => close())).then(database);
  const ends = await Promise.allSettled([...beside.map((close) => close()), closeDatabase]);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** The features, on one studio. */
interface Rooms {
  readonly studio: OpenedStudio;
  readonly runs: Runs;
  readonly models: LocalModels;
  readonly data: Data;
  readonly transfer: Transfer;
  readonly training: Training;
  readonly evaluations: Evaluations;
  readonly activity: ActivityLog;
  readonly traces: Traces;
}

interface RoomsPlace {
  readonly dataDir: string;
  readonly files: Files;
  readonly studio: OpenedStudio;
  readonly own: readonly ModelFile[];
  readonly runs: Runs;
  readonly launchers: readonly Launcher[];
}

/** Each is added to `closers` as it opens. */
async function openRooms(
  settings: LocalSettings,
  place: RoomsPlace,
  deps: BackendDeps,
  closers: Closers,
): Promise<Rooms> {
  const { dataDir, files, studio, own, runs } = place;
  const { report } = deps;
  const { database } = studio;
  const now = (): Date => new Date(deps.now());
  const opened = <Room extends { close(): Promise<unknown> }>(room: Room): Room => {
    closers.onDatabase.push(() => room.close());
    return room;
  };
  const models = await openLocalModels(settings, { own, studio, runs, files, dataDir, now: deps.now, report });
  const { engine } = models;
  const { listFiles } = models.lists;
  closers.beside.push(() => engine.close());
  opened(models.others);
  const launchers = { list: place.launchers, studio: () => deps.origin };
  const webhook = settings.webhook && { ...settings.webhook, studio: () => deps.origin };
  const views = openRowViews({ listFiles, files });
  const data = opened(await openData({ database, views, now, onWarning: report, teacher: toTeacher(models) }));
  const activity = opened(openActivityLog({ database, now, report }));
  const transfer = opened(
    await openTransfer({
      database,
      dataDir,
      findFile: async (name) => findByName(await listFiles(), name),
      readNames: () => models.lists.readNames(),
      listOtherNodes: () => listRunNodes(runs),
      now,
      onWarning: report,
    }),
  );
  const training = opened(
    await openTraining({
      database,
      dataDir,
      disk: files,
      trainer: toTrainer(settings, files),
      studio,
      listFiles,
      engine,
      findNothingTrained: (snapshotId, base) => data.findNothingTrained(snapshotId, base),
      findRowKinds: data.findRowKinds,
      describeModel: (file, chats) => views.describe(file, chats),
      now,
      report,
      times: { ...TIMES, ...toLease(settings) },
      launchers,
      webhook,
    }),
  );
  const evaluations = opened(
    await openEvaluations({
      database,
      engine,
      studio,
      now,
      report,
      evaluators: settings.evaluators,
      ...toLease(settings),
    }),
  );
  const traces = opened(
    await openTraces({
      database,
      now,
      findTeacher: async () => (await models.listTeachers())[0] ?? null,
      ask: (model, messages, signal) => askModel(engine, { model, messages, temperature: 0 }, signal, 'traces'),
      onWarning: report,
      ...toLease(settings),
    }),
  );
  return { studio, runs, models, data, transfer, training, evaluations, activity, traces };
}

function toRoutes(
  { studio, runs, models, data, transfer, training, evaluations, activity, traces }: Rooms,
  deps: BackendDeps,
): Route[] {
  const { engine, residence, serving, others } = models;
  const served = toEvaluatedRuns(toTrainedRuns(toServedRuns(runs, serving), training), studio.database);
  return [
    // Before the path of a job: the router takes the first that fits, and `create` is no id.
    ...toTrainingRoutes({ training, studio }),
    ...toWorkerRoutes(training.workers),
    ...toModelRoutes({ engine, residence }),
    ...toDataRoutes(data),
    ...toTransferRoutes(transfer),
    ...toEvaluationRoutes({ database: studio.database, evaluations, runs }),
    ...toLocalRoutes({
      studio: toEvaluatedStudio(toTrainedStudio(studio, training), studio.database),
      engine,
      runs: served,
      findElsewhere: (model) => others.findServing(model),
      findKeeper: (model, projectId) => traces.findKeeper(model, projectId),
      ...deps,
    }),
    ...toActivityRoutes(activity),
    ...toTraceRoutes(traces),
    ...toLibraryRoutes({ database: studio.database, now: () => new Date(deps.now()) }),
    ...toServingRoutes({ serving, findCheckpoint: (runId, path) => findCheckpoint(served, runId, path) }),
  ];
}

/** What writes rows: the model that is named, whatever it is, or the first that may teach. */
const toTeacher = ({ engine, listTeachers }: LocalModels): Teacher => ({
  find: async (name) =>
    name === null ? ((await listTeachers())[0] ?? null) : ((await engine.findModel(name))?.id ?? null),
  ask: (request, signal) => askModel(engine, request, signal, 'generated rows'),
});

const toLease = ({ leaseSeconds }: LocalSettings): { readonly leaseMs?: number } =>
  leaseSeconds === null ? {} : { leaseMs: leaseSeconds * 1000 };

function toTrainer({ trainer: command, threads }: LocalSettings, files: Files): Trainer | null {
  if (command === 'none') return null;
  return command
    ? { name: toTrainerName(command), command, ...toAnnounced(command) }
    : toBuiltInTrainer(files, threads ?? undefined);
}

const readOperatorLaunchers = ({ launchers }: LocalSettings, dataDir: string): readonly Launcher[] =>
  readLaunchers(launchers ?? join(dataDir, 'launchers.json'), launchers !== null, dataDir);

/** Throws StartError and leaves nothing open. */
export async function openLocalBackend(settings: LocalSettings, dataDir: string, deps: BackendDeps): Promise<Backend> {
  const { report } = deps;
  // Before the database is opened, which takes seconds the first time.
  const files = openFiles({ near: [join(dataDir, 'models'), join(dataDir, 'adapters'), SAMPLE_FOLDER] });
  const leave = async (error: unknown): Promise<never> => {
    await files.close();
    throw error;
  };
  const launchers = readOperatorLaunchers(settings, dataDir);
  for (const launcher of launchers) {
    const problem = findAddressProblem(launcher, deps.origin);
    if (problem !== null) report(problem);
  }
  const own = await readOwnModels(settings, { dataDir, files, report }).catch(leave);
  let runs: Runs | null = null;
  const studio = await openStudio({
    dataDir,
    listImported: () => listImportedJobs(runs),
    sample: settings.hasSample,
    databaseUrl: settings.databaseUrl,
    now: () => new Date(deps.now()),
    onWarning: report,
    onEnd: deps.end,
    ...toLease(settings),
  }).catch(leave);
  // After the studio, which makes the data folder.
  const closers: Closers = { beside: [() => files.close()], onDatabase: [], database: () => studio.close() };
  try {
    const used = await listUsedRuns(studio, dataDir, report);
    const opened = (runs = await openRuns({ folders: settings.runs, dataDir, used, files, report }));
    closers.beside.push(() => opened.close());
    const rooms = await openRooms(settings, { dataDir, files, studio, own, runs, launchers }, deps, closers);
    const { database } = studio;
    const { engine, bounds } = rooms.models;
    const warming = setTimeout(() => void warmUp(engine, studio).catch(() => undefined), WARM_UP_AFTER_MS);
    warming.unref();
    return {
      routes: toRoutes(rooms, deps),
      activity: rooms.activity,
      findRun: (hash) => rooms.training.findRunOfToken(hash),
      readMetrics: () => readStudioMetrics({ database, dataDir, waitingCount: () => bounds.waitingCount }),
      ...(settings.databaseUrl === null
        ? {}
        : { tokens: openTableTokens(database), tokenPlace: toPublicAddress(settings.databaseUrl) }),
      readiness: () => checkReadiness(studio, engine),
      session: async () => ({ mode: 'local', remote: null, learning_rate_is_absolute: true }),
      async close() {
        clearTimeout(warming);
        await closeAll(closers);
      },
    };
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}
