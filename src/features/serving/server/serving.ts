// Saved weights of runs become models to chat with: by llama.cpp here, by the server of `--engine`, or by a command.
import { join } from 'node:path';
import type { ServedAs } from '#features/runs/shared/runs.ts';
import type { GgufQuery, ServingOffer, ServingRequest } from '#features/serving/shared/serving.ts';
import type { ModelFile } from '#engine/engine.ts';
import { isIn, nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { CannotServe } from './cannotServe.ts';
import { openConvertedFiles, type ConvertedFiles } from './convertedFiles.ts';
import type { EngineLoader } from './engineLoader.ts';
import { toFolder, toObstacle, toPlace, type FoundCheckpoint } from './foundCheckpoint.ts';
import { takeAdapter, takeGguf, takeModel, type TakenGguf } from './ggufFiles.ts';
import { hasFittingName, toModelId } from './modelNames.ts';
import { toOffer } from './offer.ts';
import { ADAPTER_CONFIG, ADAPTER_WEIGHTS } from './runWeights.ts';
import { findLoss, openServedList, type ServedModel } from './servedList.ts';
import { readBaseMark, readWeightsMark } from './servedFileStamps.ts';

export interface Serving {
  /** The ways to serve a checkpoint, those that work first. */
  offer(checkpoint: FoundCheckpoint): Promise<ServingOffer>;
  /** The weights as a GGUF file, made while it is taken. Throws CannotServe. */
  take(checkpoint: FoundCheckpoint, query: GgufQuery): Promise<TakenGguf>;
  /** Resolves to the model to chat with. Throws CannotServe. */
  serve(checkpoint: FoundCheckpoint, request: ServingRequest): Promise<string>;
  /** false: this model is not served from a run. Throws CannotServe if an engine does not let it go. */
  stop(modelId: string): Promise<boolean>;
  /** How a checkpoint is served, or why it is not any more; null: it never was, or somebody stopped it. */
  findServed(runId: string, path: string): Promise<FoundServed | null>;
  /** What is served now. The same object while nothing changes. */
  readState(): Promise<ServingState>;
  /** For llama.cpp: the bases with their converted adapters, and converted models. */
  listModelFiles(): Promise<readonly ModelFile[]>;
}

interface FoundServed {
  /** null: it can't answer any more, and `served.problem` says why. */
  readonly model_id: string | null;
  readonly served: ServedAs;
}

interface ServedRun {
  readonly model_id: string;
  /** The model that the adapter runs on, if that is served; null: it is not, or the engine was not told. */
  readonly base_model_id: string | null;
}

export interface ServingState {
  /** The model of each run that has one, the last that was asked for. */
  readonly byRun: ReadonlyMap<string, ServedRun>;
  /** The local model with the name of the base that a run recorded; null: none, or the run recorded none. */
  readonly findBase: (baseModel: string | null) => string | null;
}

export interface ServingOptions {
  readonly dataDir: string;
  /** The model files that adapters can run on, without adapters themselves. */
  readonly listBases: () => Promise<readonly ModelFile[]>;
  /** The ids of all models. */
  readonly listModels: () => Promise<readonly string[]>;
  readonly engine: EngineLoader | null;
  readonly files?: Files;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly report: (line: string) => void;
  readonly converted?: ConvertedFiles;
}

const CONVERTED = 'adapters';
const ADAPTER_FILES = [ADAPTER_CONFIG, ADAPTER_WEIGHTS] as const;
/** Reads what was served before; loads nothing. */
export async function openServing(options: ServingOptions): Promise<Serving> {
  const { dataDir, listBases, listModels, engine, files = nearFiles, now, report } = options;
  const converted = options.converted ?? openConvertedFiles(join(dataDir, CONVERTED));
  const list = await openServedList(dataDir, report);
  const listFiles = (): ReadonlySet<string> => new Set(list.read().flatMap(({ file }) => file ?? []));
  await converted.removeLeft(listFiles(), now()).catch(() => undefined);
  let last: { readonly key: string; readonly state: ServingState } | null = null;

  const find = (runId: string, path: string): ServedModel | undefined =>
    list.read().find(({ run_id, checkpoint }) => run_id === runId && checkpoint === path);

  /** The model that answers with a checkpoint now; null: none. */
  async function findModel(runId: string, path: string): Promise<string | null> {
    const model = find(runId, path);
    return model && (await findLoss(model, files, 'one')) === null ? model.id : null;
  }

  /** With the bases by their paths, which the list keeps. */
  const toBaseId = ({ way, base }: ServedModel, bases: readonly ModelFile[]): string | null =>
    way === 'engine' ? base : (bases.find((file) => file.path === base)?.id ?? null);

  const without = (runId: string, path: string): readonly ServedModel[] =>
    list.read().filter(({ run_id, checkpoint }) => run_id !== runId || checkpoint !== path);

  /** Changes the list, and removes the files that it leaves without a model. */
  function change<Value>(work: Parameters<typeof list.change<Value>>[0]): Promise<Value> {
    return list.change(async (keep) => {
      const before = listFiles();
      const value = await work(keep);
      const after = listFiles();
      for (const path of before) if (!after.has(path)) await converted.remove(path).catch(() => undefined);
      return value;
    });
  }

  /** The models of the engine. An engine that does not answer has none. */
  async function listEngineModels(): Promise<readonly string[]> {
    const own = new Set([...(await listBases()).map(({ id }) => id), ...list.read().map(({ id }) => id)]);
    return (await listModels().catch(() => [])).filter((id) => !own.has(id));
  }

  /** What files tell. Throws CannotServe for a mount that hangs. */
  async function ask<Value>(what: string, work: Promise<Value>): Promise<Value> {
    return work.catch((error: unknown) => {
      if (error instanceof Silence) throw new CannotServe(`${what} can't be read: ${error.message}. Check the mount.`);
      throw error;
    });
  }

  async function toFiles({ root, path }: FoundCheckpoint): Promise<ReadonlyMap<string, string>> {
    const toRealPath = async (name: string): Promise<readonly [string, string]> => {
      const found = await ask(name, files.find(join(root, path, name)));
      if (found?.kind !== 'file' || !isIn(root, found.path))
        throw new CannotServe(`${name} is not there, or lies outside the folder of the runs.`);
      return [name, found.path];
    };
    return new Map(await Promise.all(ADAPTER_FILES.map(toRealPath)));
  }

  /** The path of a base. Throws CannotServe. */
  async function findBase(id: string | undefined): Promise<string> {
    const base = (await listBases()).find((file) => file.id === id);
    if (!base) throw new CannotServe(`There is no model file ${id ?? ''} here. Choose another base.`);
    return base.path;
  }

  async function toNewId({ runId, path, runLabel, step }: FoundCheckpoint): Promise<string> {
    return toModelId(runLabel, step, new Set([...(await listModels()), ...without(runId, path).map(({ id }) => id)]));
  }

  /** What the list keeps of weights however they are served. Read it before the weights: a later change is another mark. */
  async function readSaved(checkpoint: FoundCheckpoint) {
    const folder = toFolder(checkpoint);
    const weights = await ask(folder, readWeightsMark(folder, files));
    const { runId, path } = checkpoint;
    return { weights, about: { run_id: runId, checkpoint: path, folder, created: Math.floor(now() / 1000) } };
  }

  async function serveByEngine(checkpoint: FoundCheckpoint, base: string | undefined): Promise<string> {
    const { runId, path, kind, baseModel } = checkpoint;
    const { weights, about } = await readSaved(checkpoint);
    if (!engine) throw new CannotServe('There is no engine. Start the studio with --engine URL.');
    if (kind !== 'adapter')
      throw new CannotServe('The server of --engine loads adapters only. Start it with the model.');
    const verdict = await converted.judgeAdapter(toPlace(checkpoint), []);
    const server = await engine.readKind();
    const reason = server === 'other' ? null : verdict.reasons[server];
    if (reason !== null) throw new CannotServe(reason);
    const [folder, paths, name] = [about.folder, await toFiles(checkpoint), await toNewId(checkpoint)];
    const id = await engine.load({ folder, files: paths, name, baseModel: base ?? baseModel ?? '' });
    const marks = { weights, base: '' };
    await change((keep) =>
      keep([...without(runId, path), { id, way: 'engine', base: base ?? null, file: null, marks, ...about }]),
    );
    return id;
  }

  async function serveHere(checkpoint: FoundCheckpoint, baseId: string | undefined): Promise<string> {
    const { runId, path, kind, step, runLabel } = checkpoint;
    const { weights, about } = await readSaved(checkpoint);
    const base = kind === 'full' ? null : await findBase(baseId);
    const marks = { weights, base: base === null ? '' : await ask(base, readBaseMark(base, files)) };
    const place = toPlace(checkpoint);
    const file = await converted.convert(
      base === null
        ? { place, kind: 'full', name: toModelId(runLabel, step, new Set()), form: 'q8_0' }
        : { place, kind: 'adapter', base },
      marks,
    );
    return change(async (keep) => {
      const made = await findModel(runId, path);
      if (made !== null) return made;
      const id = await toNewId(checkpoint);
      await keep([...without(runId, path), { id, way: 'llama', base, file, marks, ...about }]);
      return id;
    });
  }

  return {
    async findServed(runId, path) {
      const model = find(runId, path);
      if (!model) return null;
      const problem = await findLoss(model, files, 'one');
      const served = { way: model.way, base_model_id: toBaseId(model, await listBases()) };
      if (problem === null) return { model_id: model.id, served };
      return { model_id: null, served: { ...served, problem } };
    },
    async readState() {
      const bases = await listBases();
      const models = await Promise.all(
        list.read().map(async (model) => ((await findLoss(model, files, 'list')) === null ? [model] : [])),
      );
      const entries = models
        .flat()
        .map((model) => [model.run_id, { model_id: model.id, base_model_id: toBaseId(model, bases) }] as const);
      const key = JSON.stringify([entries, bases.map(({ id, path, aliases }) => [id, path, aliases])]);
      if (last?.key !== key) {
        const findBase = (baseModel: string | null): string | null =>
          bases.find((base) => hasFittingName(base, baseModel))?.id ?? null;
        last = { key, state: { byRun: new Map(entries), findBase } };
      }
      return last.state;
    },
    async offer(checkpoint) {
      const { runId, path } = checkpoint;
      return toOffer(checkpoint, checkpoint.modelId ?? (await findModel(runId, path)), {
        served: find(runId, path),
        bases: await listBases(),
        engine,
        listEngineModels,
        converted,
        files,
      });
    },
    async take(checkpoint, { form, base_model_id }) {
      const { runId, path, kind, step, runLabel } = checkpoint;
      const obstacle = kind === 'gguf' ? null : toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      const weights = { place: toPlace(checkpoint), stem: toModelId(runLabel, step, new Set()) };
      if (kind === 'full') return takeModel(weights, form, converted);
      if (form !== 'saved') throw new CannotServe('Only whole models are made smaller. Ask for the form saved.');
      if (kind === 'gguf') return ask(path, takeGguf(weights.place, files));
      const served = base_model_id === undefined ? find(runId, path)?.base : null;
      return takeAdapter(weights, served ?? (await findBase(base_model_id)), converted);
    },
    async serve(checkpoint, { way, base_model_id }) {
      const known = checkpoint.modelId ?? (await findModel(checkpoint.runId, checkpoint.path));
      if (known !== null) return known;
      const obstacle = toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      return way === 'engine' ? serveByEngine(checkpoint, base_model_id) : serveHere(checkpoint, base_model_id);
    },
    async stop(id) {
      const found = list.read().find((model) => model.id === id);
      if (!found) return false;
      if (found.way === 'engine') await engine?.unload(id);
      await change((keep) => keep(list.read().filter((model) => model.id !== id)));
      return true;
    },
    async listModelFiles() {
      const served = list.read().map(async (model): Promise<readonly ModelFile[]> => {
        const { id, base, file, created } = model;
        if (file === null || (await findLoss(model, files, 'list')) !== null) return [];
        const [path, adapter] = base === null ? [file, null] : [base, file];
        return [{ id, aliases: [], path, adapter, created, owned_by: 'runs' }];
      });
      return (await Promise.all(served)).flat();
    },
  };
}
