// AdamW on the weights of a model, from the gradients that it has.
import type { Transformer } from '#trainer/model/transformer.ts';

const BETA_1 = 0.9;
const BETA_2 = 0.98;
const EPSILON = 1e-8;
const MOST_NORM = 1;

/** The numbers that are trained, in runs of those that decay and those that don't: vectors of norms, as in other trainers. */
function toDecayParts({ trained }: Transformer, decay: number) {
  if (decay === 0) return [{ offset: 0, count: trained.weights.count, isDecayed: false }];
  const places = [...trained.plan.places.values()];
  return places.map(({ offset, rows }, at) => ({
    offset,
    count: (places[at + 1]?.offset ?? trained.weights.count) - offset,
    isDecayed: rows > 1,
  }));
}

/** Changes the weights at step `at` (from 1 on) by the model's gradients, cut to a norm of 1. Returns the norm before. */
export function openOptimizer(model: Transformer, decay = 0): (at: number, rate: number) => number {
  const { trained } = model;
  const { kernels } = model.memory;
  const parts = toDecayParts(model, decay);
  return (at, rate) => {
    const norm = Math.sqrt(kernels.sumSquares(trained.gradients.at, trained.gradients.count));
    for (const { offset, count, isDecayed } of parts)
      kernels.adamW(
        trained.weights.at + offset * 4,
        trained.gradients.at + offset * 4,
        trained.means.at + offset * 4,
        trained.squares.at + offset * 4,
        count,
        Math.min(1, MOST_NORM / (norm + 1e-6)),
        BETA_1,
        BETA_2,
        rate / (1 - BETA_1 ** at),
        1 / (1 - BETA_2 ** at),
        EPSILON,
        isDecayed ? rate * decay : 0,
      );
    model.refresh();
    return norm;
  };
}
