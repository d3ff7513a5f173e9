// Local mode: the studio's database and the engines, opened together. Loaded only in this mode.
import type { Engine } from '../engine/engine';
import { openLlamaEngine } from '../engine/llamaEngine';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '../engine/modelFiles';
import { openRegistry } from '../engine/registry';
import { openUpstreamEngine } from '../engine/upstreamEngine';
import { openStudio } from '../studio/openStudio';
import { StartError, type Studio } from '../studio/studio';
import type { Backend, BackendDeps } from './backend';
import type { LocalSettings } from './flags';
import { toLocalRoutes } from './localRoutes';

/** llama.cpp over the operator's and the studio's files, then the operator's server. Nothing is loaded yet. */
async function openEngine(settings: LocalSettings, dataDir: string, studio: Studio): Promise<Engine> {
  const named = await Promise.all(settings.models.map((value) => parseModelFlag(value, process.cwd())));
  const own = joinModelFiles(named, await readModelsFile(dataDir));
  // Said now, not when someone asks for the model. Later ones of the studio stand behind the operator's.
  joinModelFiles(own, await studio.listModelFiles());
  const local = openLlamaEngine({ models: async () => [...own, ...(await studio.listModelFiles())] });
  return openRegistry(settings.engine ? [local, openUpstreamEngine(settings.engine)] : [local]);
}

/** Throws StartError; what was open is closed again. */
export async function openLocalBackend(settings: LocalSettings, dataDir: string, deps: BackendDeps): Promise<Backend> {
  const studio = await openStudio({
    dataDir,
    sample: settings.hasSample,
    databaseUrl: settings.databaseUrl,
    now: () => new Date(deps.now()),
    onWarning: deps.report,
  });
  try {
    const engine = await openEngine(settings, dataDir, studio);
    return {
      routes: toLocalRoutes({ studio, engine, ...deps }),
      session: { mode: 'local', remote: null },
      async close() {
        await engine.close();
        await studio.close();
      },
    };
  } catch (error) {
    await studio.close();
    throw error instanceof ModelFileError ? new StartError(error.message, { cause: error }) : error;
  }
}
