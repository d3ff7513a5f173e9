// Saved weights of runs become models to chat with: by llama.cpp here, by the server of `--engine`, or by a command.
import { join } from 'node:path';
import type { RunCheckpoint, ServedAs } from '#shared/contract/runs.ts';
import type { ServingOffer, ServingRequest } from '#shared/contract/serving.ts';
import type { ModelFile } from '#server/engine/engine.ts';
import { isIn, nearFiles, type Files } from '#server/files/files.ts';
import { Silence } from '#server/files/place.ts';
import { openAdapterFiles, type AdapterFiles } from './adapterFiles.ts';
import { CannotServe } from './cannotServe.ts';
import type { EngineLoader } from './engineLoader.ts';
import { findLoss, openServedList, type ServedModel } from './servedList.ts';
import { toServingCommands } from './servingCommands.ts';

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
  /** The model that serves it already: a GGUF file in the folder. */
  readonly modelId: string | null;
}

export interface Serving {
  /** The ways to serve a checkpoint, those that work first. */
  offer(checkpoint: FoundCheckpoint): Promise<ServingOffer>;
  /** Resolves to the model to chat with. Throws CannotServe. */
  serve(checkpoint: FoundCheckpoint, request: ServingRequest): Promise<string>;
  /** false: this model is not served from a run. Throws CannotServe if an engine does not let it go. */
  stop(modelId: string): Promise<boolean>;
  /** How a checkpoint is served, or why it is not any more; null: it never was, or somebody stopped it. */
  findServed(runId: string, path: string): Promise<FoundServed | null>;
  /** What is served now. The same object while nothing changes. */
  readState(): Promise<ServingState>;
  /** For llama.cpp: the bases with their converted adapters. */
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
  readonly adapters?: AdapterFiles;
}

const ADAPTERS = 'adapters';
const ADAPTER_FILES = ['adapter_config.json', 'adapter_model.safetensors'] as const;
const MAX_ID = 100;

type NamedModel = Pick<ModelFile, 'id' | 'path' | 'aliases'>;

/** Letters and digits of the last part of a name, without what says how a file is packed. */
const toBaseWord = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/\.gguf$|[-_.](?:gguf|bnb[-_]4bit|4bit|unsloth|q\d\w*|iq\d\w*|f16|f32|bf16)(?=$|[-_.])/g, '')
    .replace(/[^a-z0-9]/g, '');

/** Whether a local model has the name of the base that a run recorded. */
export function hasFittingName({ id, path, aliases }: NamedModel, baseModel: string | null): boolean {
  const word = toBaseWord(baseModel ?? '');
  return word !== '' && [id, path, ...aliases].some((name) => toBaseWord(name) === word);
}

/** A model that only its name describes. */
const toNamed = (id: string): NamedModel => ({ id, path: id, aliases: [] });

/** The fitting names first. */
const toOffered = (models: readonly NamedModel[], baseModel: string | null) =>
  models
    .map((model) => ({ id: model.id, has_fitting_name: hasFittingName(model, baseModel) }))
    .toSorted((a, b) => Number(b.has_fitting_name) - Number(a.has_fitting_name));

/** A name without blanks that no model has: the run's label and the step. */
export function toModelId(label: string, step: number | null, taken: ReadonlySet<string>): string {
  const word = label.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '') || 'run';
  const id = `${word.slice(0, MAX_ID)}${step === null ? '' : `-${step}`}`;
  let [free, number] = [id, 2];
  while (taken.has(free)) {
    free = `${id}-${number}`;
    number += 1;
  }
  return free;
}

/** Reads what was served before; loads nothing. */
export async function openServing(options: ServingOptions): Promise<Serving> {
  const { dataDir, listBases, listModels, engine, files = nearFiles, now, report } = options;
  const adapters = options.adapters ?? openAdapterFiles(join(dataDir, ADAPTERS), files);
  const list = await openServedList(dataDir, report);
  const listAdapters = (): ReadonlySet<string> => new Set(list.read().flatMap(({ adapter }) => adapter ?? []));
  await adapters.removeLeft(listAdapters(), now()).catch(() => undefined);
  let last: { readonly key: string; readonly state: ServingState } | null = null;

  const find = (runId: string, path: string): ServedModel | undefined =>
    list.read().find(({ run_id, checkpoint }) => run_id === runId && checkpoint === path);

  /** The model that answers with a checkpoint now; null: none. */
  async function findModel(runId: string, path: string): Promise<string | null> {
    const model = find(runId, path);
    return model && (await findLoss(model, files)) === null ? model.id : null;
  }

  /** With the bases by their paths, which the list keeps. */
  const toBaseId = ({ way, base }: ServedModel, bases: readonly ModelFile[]): string | null =>
    way === 'engine' ? base : (bases.find((file) => file.path === base)?.id ?? null);

  const without = (runId: string, path: string): readonly ServedModel[] =>
    list.read().filter(({ run_id, checkpoint }) => run_id !== runId || checkpoint !== path);

  /** Changes the list, and removes the adapters that it leaves without a model. */
  function change<Value>(work: Parameters<typeof list.change<Value>>[0]): Promise<Value> {
    return list.change(async (keep) => {
      const before = listAdapters();
      const value = await work(keep);
      const after = listAdapters();
      for (const path of before) if (!after.has(path)) await adapters.remove(path).catch(() => undefined);
      return value;
    });
  }

  /** The models of the engine. An engine that does not answer has none. */
  async function listEngineModels(): Promise<readonly string[]> {
    const own = new Set([...(await listBases()).map(({ id }) => id), ...list.read().map(({ id }) => id)]);
    return (await listModels().catch(() => [])).filter((id) => !own.has(id));
  }

  async function toFiles({ root, path }: FoundCheckpoint): Promise<ReadonlyMap<string, string>> {
    const toRealPath = async (name: string): Promise<readonly [string, string]> => {
      const found = await files.find(join(root, path, name)).catch((error: unknown) => {
        if (error instanceof Silence)
          throw new CannotServe(`${name} can't be read: ${error.message}. Check the mount.`);
        return null;
      });
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
    if (kind === 'full')
      return 'llama.cpp needs a GGUF file. Convert the folder with convert_hf_to_gguf.py of llama.cpp.';
    return kind === 'adapter' ? null : 'It is not known what these weights are.';
  }

  return {
    async findServed(runId, path) {
      const model = find(runId, path);
      if (!model) return null;
      const problem = await findLoss(model, files);
      const served = { way: model.way, base_model_id: toBaseId(model, await listBases()) };
      if (problem === null) return { model_id: model.id, served };
      return { model_id: null, served: { ...served, problem } };
    },
    async readState() {
      const bases = await listBases();
      const models = await Promise.all(
        list.read().map(async (model) => ((await findLoss(model, files)) === null ? [model] : [])),
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
      const { runId, root, path, kind, baseModel, rank, isMlx, step, runLabel } = checkpoint;
      const modelId = checkpoint.modelId ?? (await findModel(runId, path));
      const commands = toServingCommands({
        kind,
        path: path === '' ? root : join(root, path),
        baseModel,
        rank,
        isMlx,
        name: toModelId(runLabel, step, new Set()),
      }).map(({ title, command }) => ({ way: 'command' as const, title, reason: null, command }));
      if (modelId !== null || kind === 'gguf') return { checkpoint: path, model_id: modelId, ways: commands };
      const obstacle = toObstacle(checkpoint);
      const bases = toOffered(await listBases(), baseModel);
      const noBase = `There is no model to run it on. Start the studio with --model NAME=FILE.gguf for ${baseModel ?? 'its base model'}.`;
      const kindOfEngine = engine && (await engine.readKind());
      const engineReason =
        kindOfEngine === 'other' ? 'The engine is not vLLM, SGLang or Ollama, or does not answer.' : obstacle;
      return {
        checkpoint: path,
        model_id: null,
        ways: [
          {
            way: 'llama',
            title: 'llama.cpp in this studio',
            reason: obstacle ?? (bases.length === 0 ? noBase : null),
            ...(obstacle === null && { bases }),
          },
          ...(engine && kind === 'adapter' && !isMlx
            ? [
                {
                  way: 'engine' as const,
                  title: 'the server of --engine',
                  reason: engineReason,
                  ...(engineReason === null && {
                    bases: toOffered((await listEngineModels()).map(toNamed), baseModel),
                  }),
                },
              ]
            : []),
          ...commands,
        ],
      };
    },
    async serve(checkpoint, { way, base_model_id }) {
      const { runId, root, path, step, runLabel, baseModel, modelId } = checkpoint;
      const known = modelId ?? (await findModel(runId, path));
      if (known !== null) return known;
      const obstacle = toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      const toId = async (): Promise<string> =>
        toModelId(runLabel, step, new Set([...(await listModels()), ...without(runId, path).map((model) => model.id)]));
      const about = { run_id: runId, checkpoint: path, created: Math.floor(now() / 1000) };
      if (way === 'engine') {
        if (!engine) throw new CannotServe('There is no engine. Start the studio with --engine URL.');
        const name = await engine.load({
          folder: path === '' ? root : join(root, path),
          files: await toFiles(checkpoint),
          name: await toId(),
          baseModel: base_model_id ?? baseModel ?? '',
        });
        const model = { id: name, way, base: base_model_id ?? null, adapter: null, ...about };
        await change((keep) => keep([...without(runId, path), model]));
        return name;
      }
      const base = (await listBases()).find((file) => file.id === base_model_id);
      if (!base) throw new CannotServe(`There is no model file ${base_model_id ?? ''} here. Choose another base.`);
      const adapter = await adapters.convert({ root, folder: path }, base.path);
      return change(async (keep) => {
        const made = await findModel(runId, path);
        if (made !== null) return made;
        const id = await toId();
        await keep([...without(runId, path), { id, way, base: base.path, adapter, ...about }]);
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
        const { id, base, adapter, created } = model;
        if (base === null || adapter === null || (await findLoss(model, files)) !== null) return [];
        return [{ id, aliases: [], path: base, adapter, created, owned_by: 'runs' }];
      });
      return (await Promise.all(served)).flat();
    },
  };
}
