// Saved weights of runs become models to chat with: by llama.cpp here, by the server of `--engine`, or by a command.
import { join } from 'node:path';
import type { RunCheckpoint, ServedAs } from '#features/runs/shared/runs.ts';
import type { JsonObject } from '#core/contract/reading.ts';
import type { GgufQuery, ServingOffer, ServingRequest } from '#features/serving/shared/serving.ts';
import type { ModelFile } from '#engine/engine.ts';
import { isIn, nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/place.ts';
import { CannotServe } from './cannotServe.ts';
import { openConvertedFiles, type ConvertedFiles } from './convertedFiles.ts';
import type { AdapterVerdict } from './convertWeights.ts';
import { listGguf, takeAdapter, takeGguf, takeModel, toAdapterFile, type TakenGguf } from './ggufFiles.ts';
import type { EngineLoader } from './engineLoader.ts';
import { ADAPTER_CONFIG, ADAPTER_WEIGHTS, type WeightsPlace } from './runWeights.ts';
import { hasFittingName, toModelId, toNamed, toOffered } from './modelNames.ts';
import { findLoss, openServedList, type ServedModel } from './servedList.ts';
import { readBaseMark, readWeightsMark } from './servedMarks.ts';
import { toMergeCommand, toQuantizeCommand, toServingCommands, type ServingCommand } from './servingCommands.ts';

/** A checkpoint of a run, found by the service. */
export interface FoundCheckpoint {
  readonly runId: string;
  readonly runLabel: string;
  /** Real path of its root. */
  readonly root: string;
  /** Its place below the root; `''` is the root. */
  readonly path: string;
  readonly kind: RunCheckpoint['kind'];
  readonly step: number | null;
  readonly isComplete: boolean;
  readonly baseModel: string | null;
  readonly rank: number | null;
  readonly isMlx: boolean;
  /** What the run recorded of its model's configuration, with dotted names. */
  readonly modelConfig: JsonObject;
  /** The model that serves it already: a GGUF file in the folder. */
  readonly modelId: string | null;
}

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

  /** Why these weights can't be served here at all; null: they can. */
  function toObstacle({ kind, isComplete, isMlx }: FoundCheckpoint): string | null {
    if (!isComplete) return 'The checkpoint is not complete: it is still being saved, or its save was broken off.';
    if (isMlx) return 'Adapters of mlx-lm run only in mlx-lm.';
    return kind === 'adapter' || kind === 'full' ? null : 'It is not known what these weights are.';
  }

  const toPlace = ({ root, path, modelConfig }: FoundCheckpoint): WeightsPlace => ({
    root,
    folder: path,
    recorded: modelConfig,
  });
  const toFolder = ({ root, path }: FoundCheckpoint): string => (path === '' ? root : join(root, path));

  /** What the servers can do with an adapter, or why its files can't be read. */
  async function judge(checkpoint: FoundCheckpoint, bases: readonly string[]): Promise<AdapterVerdict | string> {
    return converted.judgeAdapter(toPlace(checkpoint), bases).catch((error: unknown) => {
      if (error instanceof CannotServe) return error.message;
      throw error;
    });
  }

  type Way = ServingOffer['ways'][number];

  const toCommandWays = (
    commands: readonly ServingCommand[],
    verdict: AdapterVerdict | string | null,
  ): readonly Way[] =>
    commands.map(({ server, title, command }) => {
      const reason =
        server !== null && verdict !== null && typeof verdict !== 'string' ? verdict.reasons[server] : null;
      return { way: 'command' as const, title, reason, command };
    });

  /** llama.cpp of this studio, for an adapter. */
  async function toAdapterWay(
    { baseModel }: FoundCheckpoint,
    obstacle: string | null,
    verdict: AdapterVerdict | string | null,
    bases: readonly ModelFile[],
  ): Promise<Way> {
    const way = { way: 'llama' as const, title: 'llama.cpp in this studio' };
    if (obstacle !== null || verdict === null) return { ...way, reason: obstacle };
    if (typeof verdict === 'string') return { ...way, reason: verdict };
    if (verdict.reasons.llama !== null) return { ...way, reason: verdict.reasons.llama };
    if (bases.length === 0)
      return {
        ...way,
        reason: `There is no model to run it on. Start the studio with --model NAME=FILE.gguf for ${baseModel ?? 'its base model'}.`,
      };
    const towers = verdict.hasTowers ? ['Its parts for images and sounds are left out: it answers texts only.'] : [];
    const offered = toOffered(bases, baseModel, ({ path }) => {
      const { reason = null, notes = [] } = verdict.bases[path] ?? {};
      return { reason, notes: [...towers, ...notes] };
    });
    return { ...way, reason: null, bases: offered };
  }

  /** The server of `--engine`; null: there is none, or it does not load such weights. */
  async function toEngineWay(
    { kind, isMlx, baseModel }: FoundCheckpoint,
    obstacle: string | null,
    verdict: AdapterVerdict | string | null,
  ): Promise<Way | null> {
    if (!engine || kind !== 'adapter' || isMlx) return null;
    const way = { way: 'engine' as const, title: 'the server of --engine' };
    const server = await engine.readKind();
    if (server === 'other') return { ...way, reason: 'The engine is not vLLM, SGLang or Ollama, or does not answer.' };
    const judged = typeof verdict === 'string' || verdict === null ? verdict : verdict.reasons[server];
    const reason = obstacle ?? judged;
    if (reason !== null) return { ...way, reason };
    return { ...way, reason, bases: toOffered((await listEngineModels()).map(toNamed), baseModel) };
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
      const { runId, path, kind, rank, step, runLabel } = checkpoint;
      const modelId = checkpoint.modelId ?? (await findModel(runId, path));
      const obstacle = toObstacle(checkpoint);
      const bases = await listBases();
      const isJudged = kind === 'adapter' && obstacle === null;
      const verdict = isJudged ? await judge(checkpoint, modelId === null ? bases.map((base) => base.path) : []) : null;
      const name = toModelId(runLabel, step, new Set());
      const known = verdict !== null && typeof verdict !== 'string' && verdict.maxRank > 0 ? verdict.maxRank : rank;
      const readable = kind === 'gguf' || obstacle === null ? kind : 'unknown';
      const { found, reason } = await listGguf({ place: toPlace(checkpoint), stem: name }, readable, converted, files);
      const commands = toCommandWays(
        [
          ...found.filter(({ form }) => kind === 'full' && form === 'saved').map(toQuantizeCommand),
          ...toServingCommands({ ...checkpoint, path: toFolder(checkpoint), rank: known, name }),
        ],
        verdict,
      );
      if (modelId !== null || kind === 'gguf') {
        const served = find(runId, path);
        const adapter = served?.id === modelId && served?.base != null ? served.file : null;
        const merged = adapter === null ? [] : [toMergeCommand(adapter, served?.base ?? '', name)];
        const own = adapter === null ? found : [toAdapterFile(name)];
        return {
          checkpoint: path,
          model_id: modelId,
          files: [...own],
          ways: [...toCommandWays(merged, null), ...commands],
        };
      }
      const here =
        kind === 'full'
          ? { way: 'llama' as const, title: 'llama.cpp in this studio', reason: obstacle ?? reason }
          : await toAdapterWay(checkpoint, obstacle, verdict, bases);
      const elsewhere = await toEngineWay(checkpoint, obstacle, verdict);
      const own = kind === 'adapter' && here.reason === null ? [toAdapterFile(name)] : found;
      return {
        checkpoint: path,
        model_id: null,
        files: [...own],
        ways: [here, ...(elsewhere ? [elsewhere] : []), ...commands],
      };
    },
    async take(checkpoint, { form, base_model_id }) {
      const { runId, path, kind, step, runLabel } = checkpoint;
      const obstacle = kind === 'gguf' ? null : toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      const weights = { place: toPlace(checkpoint), stem: toModelId(runLabel, step, new Set()) };
      if (kind === 'full') return takeModel(weights, form, converted);
      if (form !== 'saved') throw new CannotServe('Only whole models are made smaller. Ask for the form saved.');
      if (kind === 'gguf') return ask(path, takeGguf(weights.place, files));
      const base =
        base_model_id === undefined
          ? find(runId, path)?.base
          : (await listBases()).find(({ id }) => id === base_model_id)?.path;
      if (base == null)
        throw new CannotServe(`There is no model file ${base_model_id ?? ''} here. Choose another base.`);
      return takeAdapter(weights, base, converted);
    },
    async serve(checkpoint, { way, base_model_id }) {
      const { runId, path, kind, step, runLabel, baseModel, modelId } = checkpoint;
      const known = modelId ?? (await findModel(runId, path));
      if (known !== null) return known;
      const obstacle = toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      const toId = async (): Promise<string> =>
        toModelId(runLabel, step, new Set([...(await listModels()), ...without(runId, path).map((model) => model.id)]));
      const folder = toFolder(checkpoint);
      // Before the weights are read: what changes meanwhile is another mark.
      const weights = await ask(folder, readWeightsMark(folder, files));
      const about = { run_id: runId, checkpoint: path, folder, created: Math.floor(now() / 1000) };
      if (way === 'engine') {
        if (!engine) throw new CannotServe('There is no engine. Start the studio with --engine URL.');
        if (kind !== 'adapter')
          throw new CannotServe('The server of --engine loads adapters only. Start it with the model.');
        const verdict = await converted.judgeAdapter(toPlace(checkpoint), []);
        const server = await engine.readKind();
        const reason = server === 'other' ? null : verdict.reasons[server];
        if (reason !== null) throw new CannotServe(reason);
        const name = await engine.load({
          folder,
          files: await toFiles(checkpoint),
          name: await toId(),
          baseModel: base_model_id ?? baseModel ?? '',
        });
        const model = {
          id: name,
          way,
          base: base_model_id ?? null,
          file: null,
          marks: { weights, base: '' },
          ...about,
        };
        await change((keep) => keep([...without(runId, path), model]));
        return name;
      }
      const base = kind === 'full' ? null : (await listBases()).find((file) => file.id === base_model_id);
      if (base === undefined)
        throw new CannotServe(`There is no model file ${base_model_id ?? ''} here. Choose another base.`);
      const marks = { weights, base: base === null ? '' : await ask(base.path, readBaseMark(base.path, files)) };
      const place = toPlace(checkpoint);
      const file = await converted.convert(
        base === null
          ? { place, kind: 'full', name: toModelId(runLabel, step, new Set()), form: 'q8_0' }
          : { place, kind: 'adapter', base: base.path },
        marks,
      );
      return change(async (keep) => {
        const made = await findModel(runId, path);
        if (made !== null) return made;
        const id = await toId();
        await keep([...without(runId, path), { id, way, base: base?.path ?? null, file, marks, ...about }]);
        return id;
      });
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
