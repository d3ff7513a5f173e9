// The models of local mode: files, the engines that load them, and runs that are served as models. Each list names those of
// the others, so they are opened together.
import type { Engine, ModelFile, Residence } from '#engine/engine.ts';
import { openBoundedEngine } from '#engine/boundedEngine.ts';
import type { Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { openLlamaEngine, type LlamaEngineOptions } from '#engine/llamaEngine.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '#engine/modelFiles.ts';
import { findByName, IMPORTED } from '#engine/modelNames.ts';
import { QueueBounds } from '#engine/queueBounds.ts';
import { openRegistry } from '#engine/registry.ts';
import { openUpstreamEngine, type UpstreamEngine } from '#engine/upstream/upstreamEngine.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { SAMPLE_FOLDER } from '#features/projects/server/sampleFiles.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { openEngineLoader } from '#features/serving/server/engineLoader.ts';
import { openServing, type Serving } from '#features/serving/server/serving.ts';
import { StartError } from '#service/database/startError.ts';
import type { LocalSettings } from './settings.ts';
import { openModelLists, type ModelLists } from './modelLists.ts';
import { openOtherServices, type OtherServices } from './otherServices.ts';

interface OwnDeps {
  readonly dataDir: string;
  readonly files: Files;
  readonly report: (line: string) => void;
}

/** The operator's model files from flags and models.json. Throws StartError for one that is missing or wrong. */
export async function readOwnModels(
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

export interface LocalModels {
  readonly lists: ModelLists;
  readonly serving: Serving;
  readonly engine: Engine;
  readonly residence: Residence;
  readonly bounds: QueueBounds;
  readonly others: OtherServices;
  /** Models that may teach others, those of the operator's server first. The studio's own are too small. */
  readonly listTeachers: () => Promise<readonly string[]>;
}

interface ModelsDeps extends OwnDeps {
  /** The operator's model files. */
  readonly own: readonly ModelFile[];
  readonly studio: OpenedStudio;
  readonly runs: Runs;
  readonly now: () => number;
}

/** Throws ModelFileError where two models have one name. */
export async function openLocalModels(settings: LocalSettings, deps: ModelsDeps): Promise<LocalModels> {
  const { own, studio, runs, files, dataDir, now, report } = deps;
  await checkNames(own, studio, report);
  const upstream = settings.engine && openUpstreamEngine({ ...settings.engine, report });
  const listIds = async (): Promise<string[]> => (await engine.listModels()).map(({ id }) => id);
  const lists = openModelLists({
    own,
    listTrained: () => studio.listModelFiles(),
    listRuns: () => runs.listModelFiles(),
    listServed: () => serving.listModelFiles(),
    upstream,
    listOtherNames: () => others.listNames(),
  });
  const serving = await openServing({
    dataDir,
    listBases: async () => (await lists.listBases()).filter(({ adapter }) => adapter === null),
    listModels: listIds,
    engine: settings.engine && openEngineLoader({ ...settings.engine, paths: settings.enginePaths, files }),
    files,
    now,
    report,
  });
  const opened = openEngine(upstream, { models: lists.listFiles, files, gpu: settings.gpu, dataDir, report });
  const engine: Engine = opened.engine;
  // Without a database there is nothing to load; the next request for a model reports why.
  const others = openOtherServices({
    database: studio.database,
    listOwn: async () => [...(await listIds()), ...(await lists.listFiles()).flatMap(({ aliases }) => aliases)],
  });
  const listTeachers = async (): Promise<readonly string[]> => {
    const served = (await upstream?.listModels().catch(() => [])) ?? [];
    return [...served, ...own].map(({ id }) => id);
  };
  return { ...opened, lists, serving, others, listTeachers };
}
