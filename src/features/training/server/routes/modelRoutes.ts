// Models in memory: whether one runs, load it and keep it, let it go. As in the hosted studio's SDK.
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import type { ModelRunning } from '#features/training/shared/trainingRecords.ts';
import { unknownModel } from '#features/playground/server/chatRoute.ts';
import type { Engine, ModelMemory, Residence } from '#engine/engine.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';

const LOAD_MS = 120_000;

export interface ModelRouteDeps {
  readonly engine: Pick<Engine, 'listModels'>;
  /** The models that this process loads itself. */
  readonly residence: Residence;
}

function toMemory(found: ModelMemory | 'absent' | null): ModelRunning['memory'] {
  if (found === null || found === 'absent') return null;
  const { bytes, layers, gpuLayers, gpu } = found;
  return { bytes, layers, gpu_layers: gpuLayers, gpu: gpu && `${gpu.devices.join(', ')} (${gpu.kind})` };
}

export function toModelRoutes({ engine, residence }: ModelRouteDeps): readonly Route[] {
  /** Of a model that is not loaded here: the server of `--engine` has it, or nobody. */
  async function checkElsewhere(model: string): Promise<void> {
    const isThere = (await engine.listModels()).some(({ id }) => id === model);
    if (!isThere) throw unknownModel(model);
  }
  return [
    toRoute(TRAINING.isModelRunning, async ({ query: { model } }) => {
      const found = await residence.findMemory(model);
      // A server of models answers for those that it lists.
      if (found === null) await checkElsewhere(model);
      return { status: found !== 'absent', memory: toMemory(found) };
    }),
    toRoute(TRAINING.loadModel, async ({ body: { model } }) => {
      if (!(await residence.keep(model, AbortSignal.timeout(LOAD_MS)))) await checkElsewhere(model);
      return { message: `${model} is in memory.` };
    }),
    toRoute(TRAINING.unloadModel, async ({ body: { model } }) => {
      if (await residence.free(model)) return { message: `The memory of ${model} is free.` };
      await checkElsewhere(model);
      throw new HttpProblem(422, `${model} is loaded by the server of --engine, which decides when to let it go.`, {
        param: 'model',
        code: 'not_loaded_here',
      });
    }),
  ];
}
