// Local mode: the studio's database and the engines, opened together. Loaded only in this mode.
import { dirname, join } from 'node:path';
import { openActivityLog } from '#features/access/server/activityLog.ts';
import { openTableTokens } from '#features/access/server/tableTokens.ts';
import type { Engine, ModelFile, Residence } from '#engine/engine.ts';
import { openBoundedEngine } from '#engine/boundedEngine.ts';
import { openFiles } from '#service/files/openFiles.ts';
import type { Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { openLlamaEngine, type LlamaEngineOptions } from '#engine/llamaEngine.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '#engine/modelFiles.ts';
import { findByName, IMPORTED } from '#engine/modelNames.ts';
import { QueueBounds } from '#engine/queueBounds.ts';
import { openRegistry } from '#engine/registry.ts';
import { openUpstreamEngine, type UpstreamEngine } from '#engine/upstream/upstreamEngine.ts';
import { toPublicAddress } from '#service/database/openPostgres.ts';
import { openStudio } from '#app/server/openStudio.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { type Studio } from '#features/projects/server/studio.ts';
import { StartError } from '#service/database/startError.ts';

import { openData, type Data } from '#features/datasets/server/openData.ts';
import { toActivityRoutes } from '#features/access/server/routes/activityRoutes.ts';
import { readStudioMetrics } from '#app/server/metrics/studioMetrics.ts';
import { toDataRoutes } from '#features/datasets/server/routes/dataRoutes.ts';
import { toTransferRoutes } from '#features/project-files/server/routes/transferRoutes.ts';
import type { Backend, BackendDeps, Readiness } from '#app/server/backend.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { openRuns } from '#features/runs/server/runsClient.ts';
import { openEngineLoader } from '#features/serving/server/engineLoader.ts';
import { openRowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { findCheckpoint, toServedRuns } from '#features/serving/server/servedRuns.ts';
import { openServing } from '#features/serving/server/serving.ts';
import { toTrainerName } from '#features/training/server/trainers/namedTrainers.ts';
import { toBuiltInTrainer } from '#features/training/server/builtInTrainer.ts';
import { TIMES } from '#features/training/server/oneTraining.ts';
import { openTraining } from '#features/training/server/openTraining.ts';
import { openTransfer } from '#features/project-files/server/transfer.ts';
import { toModelRoutes } from '#features/training/server/routes/modelRoutes.ts';
import { toTrainedRuns, toTrainedStudio } from '#features/training/server/routes/trainedStudio.ts';
import { toWorkerRoutes } from '#features/training/server/routes/workerRoutes.ts';
import { toTrainingRoutes } from '#features/training/server/routes/trainingRoutes.ts';
import type { LocalSettings } from './flags.ts';
import { listImportedJobs } from './importedJobs.ts';
import { openModelLists } from './modelLists.ts';
import { listRunNodes } from './runNodes.ts';
import { listUsedRuns } from './usedRuns.ts';
import { openOtherServices } from './otherServices.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { toServingRoutes } from '#features/serving/server/servingRoutes.ts';
import { checkWithin } from '#app/server/readiness.ts';

const SAMPLE_FOLDER = dirname(toSamplePath('runs.json'));
const WARM_UP_MS = 30_000;
/** The page that a person opens comes first: loading llama.cpp takes a second of processor time. */
const WARM_UP_AFTER_MS = 2_000;

interface OwnDeps {
  readonly dataDir: string;
  readonly files: Files;
  readonly report: (line: string) => void;
}

/** The operator's model files from flags and models.json. Throws StartError for one that is missing or wrong. */
async function readOwnModels(
  settings: LocalSettings,
  { dataDir, files, report }: OwnDeps,
): Promise<readonly ModelFile[]> {
  const noting: Files = {
    ...files,
    find: (path) =>
      files.find(path).catch((error: unknown) => {
        if (error instanceof Silence) report(`Warning: ${path}: ${error.message}. Its model answers when it does.`);
        throw error;
      }),
  };
  try {
    const named = await Promise.all(settings.models.map((value) => parseModelFlag(value, process.cwd(), noting)));
    return joinModelFiles(named, await readModelsFile(dataDir, noting));
  } catch (error) {
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}

/** Conflicts are said at the start, not at the first request. Throws ModelFileError. */
async function checkNames(own: readonly ModelFile[], studio: Studio, report: (line: string) => void): Promise<void> {
  const files = await studio.listModelFiles();
  joinModelFiles(
    own,
    files.filter(({ owned_by }) => owned_by !== IMPORTED),
  );
  for (const { id, owned_by } of files)
    if (owned_by === IMPORTED && findByName(own, id) !== null)
      report(
        `The model ${id} of an imported project can't be asked: --model or models.json has another one of this name.`,
      );
}

/** llama.cpp with all files, and the operator's server if there is one. */
function openEngine(
  upstream: UpstreamEngine | null,
  options: Pick<LlamaEngineOptions, 'models' | 'files' | 'gpu' | 'dataDir' | 'report'> & { readonly dataDir: string },
): { readonly engine: Engine; readonly residence: Residence; readonly bounds: QueueBounds } {
  const bounds = new QueueBounds();
  const local = openLlamaEngine({
    ...options,
    bounds,
    near: [options.dataDir],
    trusted: [SAMPLE_FOLDER],
  });
  if (upstream === null) return { engine: openRegistry([local]), residence: local, bounds };
  // Listed now, so that an unreachable engine is noticed before somebody waits for it.
  upstream.listModels().catch(() => undefined);
  return { engine: openRegistry([local, openBoundedEngine(upstream, { bounds })]), residence: local, bounds };
}

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

/** Throws StartError and leaves nothing open. */
export async function openLocalBackend(settings: LocalSettings, dataDir: string, deps: BackendDeps): Promise<Backend> {
  // Before the database is opened, which takes seconds the first time.
  const files = openFiles({ near: [join(dataDir, 'models'), join(dataDir, 'adapters'), SAMPLE_FOLDER] });
  const leave = async (error: unknown): Promise<never> => {
    await files.close();
    throw error;
  };
  const own = await readOwnModels(settings, { dataDir, files, report: deps.report }).catch(leave);
  const lease = settings.leaseSeconds === null ? {} : { leaseMs: settings.leaseSeconds * 1000 };
  let runs: Runs | null = null;
  const studio = await openStudio({
    dataDir,
    listImported: () => listImportedJobs(runs),
    sample: settings.hasSample,
    databaseUrl: settings.databaseUrl,
    now: () => new Date(deps.now()),
    onWarning: deps.report,
    onEnd: deps.end,
    ...lease,
  }).catch(leave);
  // After the studio, which makes the data folder.
  let data: Data | null = null;
  try {
    const now = (): Date => new Date(deps.now());
    const views = openRowViews({ listFiles: () => lists.listFiles(), files });
    const ownData = (data = await openData({ database: studio.database, views, now, onWarning: deps.report }));
    const used = await listUsedRuns(studio, dataDir, deps.report);
    const opened = (runs = await openRuns({ folders: settings.runs, dataDir, used, files, report: deps.report }));
    await checkNames(own, studio, deps.report);
    const upstream = settings.engine && openUpstreamEngine({ ...settings.engine, report: deps.report });
    const lists = openModelLists({
      own,
      listTrained: () => studio.listModelFiles(),
      listRuns: () => opened.listModelFiles(),
      listServed: () => serving.listModelFiles(),
      upstream,
      listOtherNames: () => others.listNames(),
    });
    const { listFiles } = lists;
    const serving = await openServing({
      dataDir,
      listBases: async () => (await lists.listBases()).filter(({ adapter }) => adapter === null),
      listModels: async () => (await engine.listModels()).map(({ id }) => id),
      engine: settings.engine && openEngineLoader({ ...settings.engine, paths: settings.enginePaths, files }),
      files,
      now: deps.now,
      report: deps.report,
    });
    const made = openEngine(upstream, { models: listFiles, files, gpu: settings.gpu, dataDir, report: deps.report });
    const { residence, bounds } = made;
    const engine: Engine = made.engine;
    const { trainer: command } = settings;
    const trainer =
      command === 'none' ? null : command ? { name: toTrainerName(command), command } : toBuiltInTrainer(files);
    const { database } = studio;
    const activity = openActivityLog({ database, now, report: deps.report });
    const transfer = await openTransfer({
      database,
      dataDir,
      findFile: async (name) => findByName(await listFiles(), name),
      readNames: () => lists.readNames(),
      listOtherNodes: () => listRunNodes(opened),
      now,
      onWarning: deps.report,
    });
    const training = await openTraining({
      database,
      dataDir,
      disk: files,
      trainer,
      studio,
      listFiles,
      engine,
      findNothingTrained: (snapshotId, base) => ownData.findNothingTrained(snapshotId, base),
      describeModel: (file, chats) => views.describe(file, chats),
      now,
      report: deps.report,
      times: { ...TIMES, ...lease },
    });
    const served = toTrainedRuns(toServedRuns(opened, serving), training);
    // Without a database there is nothing to load; the next request for a model reports why.
    const others = openOtherServices({
      database,
      listOwn: async () => [
        ...(await engine.listModels()).map(({ id }) => id),
        ...(await listFiles()).flatMap(({ aliases }) => aliases),
      ],
    });
    const warming = setTimeout(() => void warmUp(engine, studio).catch(() => undefined), WARM_UP_AFTER_MS);
    warming.unref();
    return {
      routes: [
        // Before the path of a job: the router takes the first that fits, and `create` is no id.
        ...toTrainingRoutes({ training, studio }),
        ...toWorkerRoutes(training.workers),
        ...toModelRoutes({ engine, residence }),
        ...toDataRoutes(ownData),
        ...toTransferRoutes(transfer),
        ...toLocalRoutes({
          studio: toTrainedStudio(studio, training),
          engine,
          runs: served,
          findElsewhere: (model) => others.findServing(model),
          ...deps,
        }),
        ...toActivityRoutes(activity),
        ...toServingRoutes({ serving, findCheckpoint: (runId, path) => findCheckpoint(served, runId, path) }),
      ],
      activity,
      readMetrics: () => readStudioMetrics({ database, dataDir, waitingCount: () => bounds.waitingCount }),
      ...(settings.databaseUrl === null
        ? {}
        : { tokens: openTableTokens(database), tokenPlace: toPublicAddress(settings.databaseUrl) }),
      readiness: () => checkReadiness(studio, engine),
      session: async () => ({ mode: 'local', remote: null, learning_rate_is_absolute: true }),
      async close() {
        clearTimeout(warming);
        // In parallel, so that neither uses up the other's time. A training is put back into the queue of the database.
        const ends = await Promise.allSettled([
          engine.close(),
          opened.close(),
          files.close(),
          Promise.allSettled([training, ownData, transfer, activity, others].map((each) => each.close())).then(() =>
            studio.close(),
          ),
        ]);
        const failure = ends.find((end) => end.status === 'rejected');
        if (failure) throw failure.reason;
      },
    };
  } catch (error) {
    await runs?.close();
    await files.close();
    await data?.close();
    await studio.close();
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}
