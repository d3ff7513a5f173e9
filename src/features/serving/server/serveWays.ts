// The ways that a press takes: weights are converted for llama.cpp here, or an adapter is loaded by the server of `--engine`.
import { join } from 'node:path';
import type { ServingRequest } from '#features/serving/shared/serving.ts';
import type { ModelFile } from '#engine/engine.ts';
import { isIn, type Files } from '#service/files/files.ts';
import { CannotServe, fromMount } from './cannotServe.ts';
import type { ConvertedFiles } from './convertedFiles.ts';
import type { EngineLoader } from './engineLoader.ts';
import { toFolder, toPlace, type FoundCheckpoint } from './foundCheckpoint.ts';
import { toModelId } from './modelNames.ts';
import { ADAPTER_CONFIG, ADAPTER_WEIGHTS } from './runWeights.ts';
import { readBaseMark, readWeightsMark } from './servedFileStamps.ts';
import type { ServedModels } from './servedModels.ts';

export interface WayDeps {
  readonly served: ServedModels;
  readonly converted: ConvertedFiles;
  readonly files: Files;
  readonly engine: EngineLoader | null;
  /** The model files that adapters can run on, without adapters themselves. */
  readonly listBases: () => Promise<readonly ModelFile[]>;
  /** The ids of all models. */
  readonly listModels: () => Promise<readonly string[]>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Resolves to the model to chat with. `base`: of an adapter, the id of the model to run it on. Throws CannotServe. */
type ServeWay = (checkpoint: FoundCheckpoint, base: string | undefined) => Promise<string>;

const ADAPTER_FILES = [ADAPTER_CONFIG, ADAPTER_WEIGHTS] as const;

/** The path of a base. Throws CannotServe. */
export function toBasePath(bases: readonly ModelFile[], id: string | undefined): string {
  const base = bases.find((file) => file.id === id);
  if (!base) throw new CannotServe(`There is no model file ${id ?? ''} here. Choose another base.`);
  return base.path;
}

/** The real paths of an adapter's files. Throws CannotServe. */
async function findAdapterFiles({ root, path }: FoundCheckpoint, files: Files): Promise<ReadonlyMap<string, string>> {
  const toRealPath = async (name: string): Promise<readonly [string, string]> => {
    const found = await fromMount(name, files.find(join(root, path, name)));
    if (found?.kind !== 'file' || !isIn(root, found.path))
      throw new CannotServe(`${name} is not there, or lies outside the folder of the runs.`);
    return [name, found.path];
  };
  return new Map(await Promise.all(ADAPTER_FILES.map(toRealPath)));
}

export function openServeWays(deps: WayDeps): Record<ServingRequest['way'], ServeWay> {
  const { served, converted, files, engine, listBases, listModels, now } = deps;

  /** What the list keeps of weights however they are served. Read it before the weights: a later change is another mark. */
  async function readSaved(checkpoint: FoundCheckpoint) {
    const folder = toFolder(checkpoint);
    const weights = await fromMount(folder, readWeightsMark(folder, files));
    const { runId, path } = checkpoint;
    return { weights, about: { run_id: runId, checkpoint: path, folder, created: Math.floor(now() / 1000) } };
  }

  const toNewId = async (checkpoint: FoundCheckpoint): Promise<string> =>
    toModelId(checkpoint.runLabel, checkpoint.step, new Set([...(await listModels()), ...served.listIds(checkpoint)]));

  return {
    async engine(checkpoint, base) {
      const { weights, about } = await readSaved(checkpoint);
      if (!engine) throw new CannotServe('There is no engine. Start the studio with --engine URL.');
      if (checkpoint.kind !== 'adapter')
        throw new CannotServe('The server of --engine loads adapters only. Start it with the model.');
      const verdict = await converted.judgeAdapter(toPlace(checkpoint), []);
      const server = await engine.readKind();
      const reason = server === 'other' ? null : verdict.reasons[server];
      if (reason !== null) throw new CannotServe(reason);
      const paths = await findAdapterFiles(checkpoint, files);
      const name = await toNewId(checkpoint);
      const baseModel = base ?? checkpoint.baseModel ?? '';
      const id = await engine.load({ folder: about.folder, files: paths, name, baseModel });
      const marks = { weights, base: '' };
      await served.change((put) => put({ id, way: 'engine', base: base ?? null, file: null, marks, ...about }));
      return id;
    },

    async llama(checkpoint, baseId) {
      const { weights, about } = await readSaved(checkpoint);
      const base = checkpoint.kind === 'full' ? null : toBasePath(await listBases(), baseId);
      const marks = { weights, base: base === null ? '' : await fromMount(base, readBaseMark(base, files)) };
      const place = toPlace(checkpoint);
      const name = toModelId(checkpoint.runLabel, checkpoint.step, new Set());
      const file = await converted.convert(
        base === null ? { place, kind: 'full', name, form: 'q8_0' } : { place, kind: 'adapter', base },
        marks,
      );
      return served.change(async (put) => {
        const made = await served.findAnswering(checkpoint);
        if (made !== null) return made;
        const id = await toNewId(checkpoint);
        await put({ id, way: 'llama', base, file, marks, ...about });
        return id;
      });
    },
  };
}
