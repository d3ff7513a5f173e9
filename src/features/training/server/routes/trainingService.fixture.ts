// For tests: the real studio, trainer processes and llama.cpp behind the real HTTP service.
import { dirname } from 'node:path';
import { expect, vi } from 'vitest';
import { createdJobSchema } from '#features/training/shared/createJob.ts';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { openLlamaEngine } from '#engine/llamaEngine.ts';
import { RunsProblem, type Runs } from '#features/runs/server/runs.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { openTestService, type TestOptions, type TestService } from '#service/http/testService.fixture.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';
import type { LaunchersOptions } from '#features/training/server/launchers/openLaunchers.ts';
import type { FileLimits } from '#features/training/server/outputFiles.ts';
import { openTraining } from '#features/training/server/openTraining.ts';
import type { TrainingTimes } from '#features/training/server/oneTraining.ts';
import { describeSample, QUICK, RUN } from '#features/training/server/testTraining.fixture.ts';
import type { Trainer } from '#features/training/server/trainer.ts';
import { toModelRoutes } from './modelRoutes.ts';
import { toTrainedRuns, toTrainedStudio } from './trainedStudio.ts';
import { toWorkerRoutes } from './workerRoutes.ts';
import { toTrainingRoutes } from './trainingRoutes.ts';

export interface TrainingService {
  readonly service: TestService;
  readonly studio: OpenedStudio;
  readonly dataDir: string;
  readonly projectId: string;
  /** The sample's first one. */
  readonly snapshotId: string;
  /** The body of an answer to GET. */
  get(path: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const none = async (): Promise<null> => null;
const empty = async (): Promise<readonly never[]> => [];
/** No folders are read. */
const NO_RUNS: Runs = {
  listProjects: empty,
  listRoots: empty,
  addRoot: async (path) => {
    throw new RunsProblem(path);
  },
  removeRoot: none,
  changeRoot: none,
  findProject: none,
  findJob: none,
  findRun: none,
  findCurves: async () => ({ version: 'none', curves: [], names: [] }),
  findCompletions: none,
  findSnapshotRoot: none,
  listModelFiles: empty,
  look: async () => undefined,
  close: async () => undefined,
};

interface More {
  /** A service whose data folder and database it shares. */
  readonly beside?: TrainingService;
  /** Named ones. */
  readonly tokens?: TestOptions['tokens'];
  readonly fileLimits?: FileLimits;
  /** At `studio` of the options is the service itself. */
  readonly launchers?: Omit<LaunchersOptions, 'studio'>;
}

export async function openTrainingService(
  trainer: Trainer | null,
  times: TrainingTimes = QUICK,
  { beside, tokens, fileLimits, launchers }: More = {},
): Promise<TrainingService> {
  const folders = await openTestFolders();
  const dataDir = beside?.dataDir ?? (await folders.withDatabase('sample'));
  const isRead = beside === undefined || beside.studio.database.isShared;
  // Two can't open the embedded database.
  const studio = isRead ? await openTestStudio({ dataDir, sample: true }) : beside.studio;
  // Each run writes its rows for the trainer: two blocks of them are as good as nine.
  await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');
  const engine = openLlamaEngine({
    models: () => studio.listModelFiles(),
    gpu: 'off',
    trusted: [dirname(toSamplePath('runs.json')), dataDir],
  });
  const [project] = await studio.listProjects();
  const projectId = project?.id ?? '';
  const snapshotId = (await studio.findProject(projectId))?.children[0]?.children[0]?.id ?? '';
  const training = await openTraining({
    database: studio.database,
    dataDir,
    trainer,
    studio,
    listFiles: () => studio.listModelFiles(),
    engine,
    findNothingTrained: async (snapshot, base) =>
      snapshot === snapshotId && base === 'smollm-135m' ? 'Nothing would be trained. Add the answers.' : null,
    describeModel: describeSample,
    now: () => new Date(),
    report: () => undefined,
    times,
    ...(fileLimits && { fileLimits }),
    ...(launchers && { launchers: { ...launchers, studio: () => service.origin } }),
  });
  const findRun = async (hash: string) => {
    const run = await training.findRunOfToken(hash);
    return run === null ? null : { name: 'run', isReadOnly: false, createdAt: new Date(0), run };
  };
  const service = await openTestService({
    tokens: tokens ?? { find: findRun },
    routes: (streams) => [
      ...toTrainingRoutes({ training, studio }),
      ...toWorkerRoutes(training.workers),
      ...toModelRoutes({ engine, residence: engine }),
      ...toLocalRoutes({
        studio: toTrainedStudio(studio, training),
        runs: toTrainedRuns(NO_RUNS, training),
        engine,
        streams,
        now: Date.now,
        random: () => 'x',
        report: () => undefined,
      }),
    ],
  });
  return {
    service,
    studio,
    dataDir,
    projectId,
    snapshotId,
    get: service.getJson,
    async close() {
      await service.close();
      await training.close();
      await engine.close();
      if (isRead) await studio.close();
      await folders.remove();
    },
  };
}

/** Asks for a job of one run, of a launcher if it is named; its id. */
export async function createRun({ service, snapshotId, get }: TrainingService, launcher?: string): Promise<string> {
  const studio = launcher === undefined ? {} : { studio: { launcher } };
  const body = { snapshot_id: snapshotId, name: 'Elsewhere', experiments: [RUN], ...studio };
  const { job_id } = createdJobSchema.parse((await service.post('/api/v1/public/finetuning/create', body)).json());
  const { experiments } = await get(`/api/v1/public/finetuning/${job_id}`);
  return (experiments as { id: string }[])[0]?.id ?? '';
}

export const readRun = async ({ get }: TrainingService, id: string): Promise<TrainingProgress> =>
  (await get(`/api/v1/studio/experiments/${id}/progress`)) as unknown as TrainingProgress;

/** Waits until a run is as wanted. */
export const untilRun = (
  opened: TrainingService,
  id: string,
  isWanted: (progress: TrainingProgress) => boolean,
): Promise<TrainingProgress> =>
  vi.waitFor(
    async () => {
      const progress = await readRun(opened, id);
      expect(isWanted(progress), `${progress.status} at ${progress.step}: ${progress.reason}`).toBe(true);
      return progress;
    },
    { timeout: 60_000, interval: 200 },
  );
