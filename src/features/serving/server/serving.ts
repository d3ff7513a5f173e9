// Saved weights of runs become models to chat with: by llama.cpp here, by the server of `--engine`, or by a command.
import { join } from 'node:path';
import type { ServedAs } from '#features/runs/shared/runs.ts';
import type { GgufQuery, ServingOffer, ServingRequest } from '#features/serving/shared/serving.ts';
import type { ModelFile } from '#engine/engine.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { CannotServe, fromMount } from './cannotServe.ts';
import { openConvertedFiles, type ConvertedFiles } from './convertedFiles.ts';
import { toObstacle, toPlace, type FoundCheckpoint } from './foundCheckpoint.ts';
import { takeAdapter, takeGguf, takeModel, type TakenGguf } from './ggufFiles.ts';
import { toModelId } from './modelNames.ts';
import { toOffer } from './offer.ts';
import { openServedModels, type ServedModelsDeps } from './servedModels.ts';
import { openServeWays, toBasePath, type WayDeps } from './serveWays.ts';
import { openServingState, toBaseId, type ServingState } from './servingState.ts';

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

type Defaulted = 'converted' | 'files';

export interface ServingOptions extends Omit<WayDeps, 'served' | Defaulted>, Omit<ServedModelsDeps, Defaulted> {
  readonly converted?: ConvertedFiles;
  readonly files?: Files;
}

const CONVERTED = 'adapters';

/** Reads what was served before; loads nothing. */
export async function openServing(options: ServingOptions): Promise<Serving> {
  const { dataDir, listBases, listModels, engine, files = nearFiles, now, report } = options;
  const { converted = openConvertedFiles(join(dataDir, CONVERTED)) } = options;
  const served = await openServedModels({ dataDir, converted, files, now, report });
  const ways = openServeWays({ served, converted, files, engine, listBases, listModels, now });
  const toState = openServingState();

  /** The model that answers with a checkpoint now; null: none. */
  const findModel = async (checkpoint: FoundCheckpoint): Promise<string | null> =>
    checkpoint.modelId ?? served.findAnswering(checkpoint);

  /** The models of the engine. An engine that does not answer has none. */
  async function listEngineModels(): Promise<readonly string[]> {
    const own = new Set([...(await listBases()).map(({ id }) => id), ...served.listIds()]);
    return (await listModels().catch(() => [])).filter((id) => !own.has(id));
  }

  return {
    async findServed(runId, path) {
      const model = served.find({ runId, path });
      if (!model) return null;
      const problem = await served.findLoss(model);
      const as = { way: model.way, base_model_id: toBaseId(model, await listBases()) };
      return problem === null ? { model_id: model.id, served: as } : { model_id: null, served: { ...as, problem } };
    },
    async readState() {
      const bases = await listBases();
      return toState(await served.listAnswering(), bases);
    },
    async offer(checkpoint) {
      return toOffer(checkpoint, await findModel(checkpoint), {
        served: served.find(checkpoint),
        bases: await listBases(),
        engine,
        listEngineModels,
        converted,
        files,
      });
    },
    async take(checkpoint, { form, base_model_id }) {
      const { path, kind, step, runLabel } = checkpoint;
      const obstacle = kind === 'gguf' ? null : toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      const weights = { place: toPlace(checkpoint), stem: toModelId(runLabel, step, new Set()) };
      if (kind === 'full') return takeModel(weights, form, converted);
      if (form !== 'saved') throw new CannotServe('Only whole models are made smaller. Ask for the form saved.');
      if (kind === 'gguf') return fromMount(path, takeGguf(weights.place, files));
      const base = base_model_id === undefined ? served.find(checkpoint)?.base : null;
      return takeAdapter(weights, base ?? toBasePath(await listBases(), base_model_id), converted);
    },
    async serve(checkpoint, { way, base_model_id }) {
      const known = await findModel(checkpoint);
      if (known !== null) return known;
      const obstacle = toObstacle(checkpoint);
      if (obstacle !== null) throw new CannotServe(obstacle);
      return ways[way](checkpoint, base_model_id);
    },
    async stop(id) {
      const found = served.findById(id);
      if (!found) return false;
      if (found.way === 'engine') await engine?.unload(id);
      await served.remove(id);
      return true;
    },
    async listModelFiles() {
      return (await served.listAnswering('llama')).flatMap(({ id, base, file, created }) => {
        if (file === null) return [];
        const [path, adapter] = base === null ? [file, null] : [base, file];
        return [{ id, aliases: [], path, adapter, created, owned_by: 'runs' }];
      });
    },
  };
}
