// `model-studio doctor`: looks at all that a start with the same flags needs, and says what is wrong and what to do.
import { stat } from 'node:fs/promises';
import { checkDatabase, checkDataFolder } from './dataChecks.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import { toDiagnosis, type Check, type Diagnosis } from './check.ts';
import { checkDisk, checkNode, checkPort, checkTrainer } from './machineChecks.ts';
import type { Settings } from '#app/server/launch/settings.ts';
import { checkEngine, checkModels, checkRemote } from './modelChecks.ts';

/** What a start would use. */
export type DoctorSettings = Pick<Settings, 'host' | 'port' | 'dataDir' | 'warnings' | 'mode'>;

export interface DoctorDeps {
  readonly version: string;
  /** What relative paths of flags begin at. */
  readonly directory: string;
  /** As the variable PATH. */
  readonly searchPath: string;
  readonly report: (line: string) => void;
  /** Loads a small model, which takes a second. */
  readonly checkLlama: (gpu: GpuChoice) => Promise<Check>;
}

async function checkRuns(folder: string): Promise<Check> {
  const name = 'Runs';
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory()
    ? { name, state: 'ok', text: `${folder}: what is found in it is listed below.` }
    : { name, state: 'problem', text: `${folder} is ${found ? 'a file, not a folder' : 'not there'}. Check --runs.` };
}

/** Makes nothing and changes nothing; takes a few seconds. */
export async function examineStudio(settings: DoctorSettings, deps: DoctorDeps): Promise<Diagnosis> {
  const { host, port, dataDir, mode } = settings;
  const toOwn = async (): Promise<readonly Check[]> => {
    if (mode.kind === 'gateway') return [await checkRemote(mode.baseUrl, mode.apiKey, deps.version)];
    const { databaseUrl } = mode;
    const [database, models, llama, trainer, engines, runs] = await Promise.all([
      checkDatabase({ dataDir, databaseUrl }, deps.report),
      checkModels(mode.models, dataDir, deps.directory),
      deps.checkLlama(mode.gpu),
      checkTrainer(mode.trainer, deps.searchPath),
      Promise.all(mode.engine ? [checkEngine(mode.engine)] : []),
      Promise.all(mode.runs.map((folder) => checkRuns(folder))),
    ]);
    return [database, models, llama, ...engines, trainer, ...runs];
  };
  const [portCheck, folder, disk, own] = await Promise.all([
    checkPort(host, port),
    checkDataFolder(dataDir),
    checkDisk(dataDir),
    toOwn(),
  ]);
  const warnings = settings.warnings.map((text): Check => ({ name: 'Flags', state: 'note', text }));
  return toDiagnosis(`Model Studio ${deps.version} on ${process.platform} ${process.arch}`, [
    checkNode(process.versions.node),
    ...warnings,
    portCheck,
    folder,
    disk,
    ...own,
  ]);
}
