// For tests: a model that is small enough to compute its gradients by differences.
import type { ModelShape } from '#trainer/shared/canTrain.ts';
import type { TokenRow } from './batch.ts';
import type { AdapterShape, ModelOptions } from './memory.ts';
import { openRandom } from './random.ts';
import { openTransformer, type Transformer } from './transformer.ts';
import { startAdapter } from './weights.ts';

export const TINY: ModelShape = {
  layers: 2,
  width: 16,
  heads: 2,
  keyHeads: 1,
  headWidth: 8,
  innerWidth: 24,
  vocabulary: 13,
  context: 32,
  epsilon: 1e-5,
  ropeBase: 10_000,
  hasOutput: false,
};

/** Rows of random tokens, of which the second half is learnt. */
export function toTinyRows(lengths: readonly number[], seed: number): readonly TokenRow[] {
  const random = openRandom(seed);
  return lengths.map((length) => ({
    tokens: Int32Array.from({ length }, () => Math.floor(random() * TINY.vocabulary)),
    isTarget: Uint8Array.from({ length }, (_, index) => (index * 2 >= length ? 1 : 0)),
  }));
}

/** Random weights; with an adapter both of its halves are random. */
export const openTiny = (seed: number, adapter: AdapterShape | null = null, shape = TINY): Transformer =>
  fillTiny(openTransformer(toTinyOptions(adapter, shape)), seed, adapter);

export const toTinyOptions = (adapter: AdapterShape | null, shape = TINY): ModelOptions => ({
  shape,
  adapter,
  maxTokens: 96,
  maxRow: shape.context,
});

export function fillTiny(model: Transformer, seed: number, adapter: AdapterShape | null): Transformer {
  const { shape } = model;
  const random = openRandom(seed);
  for (const { name, rows, columns } of model.memory.plan.places.values()) {
    const numbers = model.tensor(name);
    const isNorm = rows === 1;
    // Rows of the embedding beyond the vocabulary stay 0.
    const used = /^(token_embd|output)\.weight$/.test(name) ? shape.vocabulary * columns : numbers.length;
    for (let index = 0; index < used; index += 1)
      numbers[index] = isNorm ? 1 + 0.2 * (random() - 0.5) : (random() * 2 - 1) * Math.sqrt(3 / columns);
  }
  if (adapter !== null) {
    startAdapter(model, adapter.rank, seed);
    for (const { name, columns } of model.trained.plan.places.values())
      if (name.endsWith('.lora_b'))
        model.trainedTensor(name).forEach((_, index, all) => {
          if (index % columns < adapter.rank) all[index] = (random() * 2 - 1) * 0.1;
        });
  }
  model.refresh();
  return model;
}
