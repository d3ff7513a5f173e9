// Weights of a file into a model, and the first numbers of an adapter.
import type { ModelSource } from '#trainer/files/readModel.ts';
import { openRandom } from './random.ts';
import { ADAPTER_ENDS } from './tensorPlan.ts';
import type { Transformer } from './transformer.ts';

const [A] = ADAPTER_ENDS;

/** Copies all tensors of a file into a model of the same shape. */
export function loadWeights(model: Transformer, source: ModelSource): void {
  for (const name of model.memory.plan.places.keys()) model.tensor(name).set(source.read(name));
  model.refresh();
}

/** An adapter that changes nothing yet: a is random with a variance of 1 / columns, b is 0. */
export function startAdapter(model: Transformer, rank: number, seed: number): void {
  const random = openRandom(seed);
  for (const { name, columns } of model.trained.plan.places.values()) {
    if (!name.endsWith(A)) continue;
    const numbers = model.trainedTensor(name).subarray(0, rank * columns);
    const most = Math.sqrt(3 / columns);
    for (let index = 0; index < numbers.length; index += 1) numbers[index] = (random() * 2 - 1) * most;
  }
  model.refresh();
}
