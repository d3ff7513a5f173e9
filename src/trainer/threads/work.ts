// What each thread of a crew does with its own batches.
import type { Batch } from '#trainer/model/batch.ts';
import type { ModelOptions, Seat } from '#trainer/model/memory.ts';
import type { Measured, Transformer } from '#trainer/model/transformer.ts';

/** What a thread begins with. */
export interface ThreadStart {
  readonly options: ModelOptions;
  readonly seat: Seat;
}

export interface Work {
  /** Leaves the gradients of these batches alone. Resolves to the sum of their losses, in nats. */
  readonly train: (batches: readonly Batch[], factor: number) => Promise<number>;
  readonly measure: (batch: Batch) => Promise<Measured>;
  readonly likeliest: (batch: Batch) => Promise<Int32Array>;
}

export const toWork = (model: Transformer): Work => ({
  async train(batches, factor) {
    model.clearGradients();
    return batches.reduce((sum, batch) => sum + model.train(batch, factor), 0);
  },
  measure: async (batch) => model.measure(batch),
  likeliest: async (batch) => model.likeliest(batch),
});
