// Local mode: the studio's database and the engines, opened together. Loaded only in this mode.
import type { Engine, ModelFile } from '#server/engine/engine.ts';
import { openBoundedEngine } from '#server/engine/boundedEngine.ts';
import { openLlamaEngine } from '#server/engine/llamaEngine.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '#server/engine/modelFiles.ts';
import { QueueBounds } from '#server/engine/queueBounds.ts';
import { openRegistry } from '#server/engine/registry.ts';
import { openUpstreamEngine } from '#server/engine/upstream/upstreamEngine.ts';
import { openStudio } from '#server/studio/openStudio.ts';
import { StartError, type Studio } from '#server/studio/studio.ts';
import type { Backend, BackendDeps, Readiness } from '#server/service/backend.ts';
import type { LocalSettings } from './flags.ts';
import { toLocalRoutes } from '#server/service/localRoutes.ts';
import { checkWithin } from '#server/service/readiness.ts';

const WARM_UP_MS = 30_000;

/** The operator's model files, by flag and by models.json. Throws StartError for one that is missing or wrong. */
async function readOwnModels(settings: LocalSettings, dataDir: string): Promise<readonly ModelFile[]> {
  try {
    const named = await Promise.all(settings.models.map((value) => parseModelFlag(value, process.cwd())));
    return joinModelFiles(named, await readModelsFile(dataDir));
  } catch (error) {
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}

/** llama.cpp over the operator's and the studio's files, then the operator's server. */
async function openEngine(
  settings: LocalSettings,
  own: readonly ModelFile[],
  studio: Studio,
  report: (line: string) => void,
): Promise<Engine> {
  // Said now, not when someone asks for the model. Later ones of the studio stand behind the operator's.
  joinModelFiles(own, await studio.listModelFiles());
  const bounds = new QueueBounds();
  const local = openLlamaEngine({ models: async () => [...own, ...(await studio.listModelFiles())], bounds });
  if (!settings.engine) return openRegistry([local]);
  const upstream = openUpstreamEngine({ ...settings.engine, report });
  // Asked now, so that an engine that can't be reached is known before somebody waits for it.
  upstream.listModels().catch(() => undefined);
  return openRegistry([local, openBoundedEngine(upstream, { bounds })]);
}

/**
 * Loads the studio's small base model, so that nobody waits for llama.cpp at the first message. A failure is said then.
 */
async function warmUp(engine: Engine, studio: Studio): Promise<void> {
  const [first] = await studio.listModelFiles();
  if (first) await engine.load(first.id, AbortSignal.timeout(WARM_UP_MS)).catch(() => null);
}

/** Whether the database and every engine answer now. */
export async function lookAt(studio: Pick<Studio, 'checkDatabase'>, engine: Pick<Engine, 'check'>): Promise<Readiness> {
  const looks = [checkWithin(() => studio.checkDatabase()), checkWithin(() => engine.check())] as const;
  const [database, answers] = await Promise.all(looks);
  return { database, engine: answers };
}

/** Throws StartError; what was open is closed again. */
export async function openLocalBackend(settings: LocalSettings, dataDir: string, deps: BackendDeps): Promise<Backend> {
  // Before the database is opened, which takes seconds the first time.
  const own = await readOwnModels(settings, dataDir);
  const studio = await openStudio({
    dataDir,
    sample: settings.hasSample,
    databaseUrl: settings.databaseUrl,
    now: () => new Date(deps.now()),
    onWarning: deps.report,
  });
  try {
    const engine = await openEngine(settings, own, studio, deps.report);
    // Without its database there is nothing to load now; whoever asks for a model hears why.
    warmUp(engine, studio).catch(() => undefined);
    return {
      routes: toLocalRoutes({ studio, engine, ...deps }),
      readiness: () => lookAt(studio, engine),
      session: async () => ({ mode: 'local', remote: null, learning_rate_is_absolute: true }),
      async close() {
        // Side by side: neither may use up the time of the other.
        const ends = await Promise.allSettled([engine.close(), studio.close()]);
        const failure = ends.find((end) => end.status === 'rejected');
        if (failure) throw failure.reason;
      },
    };
  } catch (error) {
    await studio.close();
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}
