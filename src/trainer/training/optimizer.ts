// AdamW on the weights of a model, from the gradients that it has.
import type { Transformer } from '#trainer/model/transformer.ts';

const BETA_1 = 0.9;
const BETA_2 = 0.98;
const EPSILON = 1e-8;
const MOST_NORM = 1;

export interface Update {
  /** From 1 on. */
  readonly step: number;
  readonly rate: number;
  /** Of all gradients, which are cut to a norm of 1. */
  readonly norm: number;
  /** Missing: 0. */
  readonly decay?: number | undefined;
}

/** Changes the weights of a thread's part. Vectors of norms don't decay, as in other trainers. */
export function updatePart(
  { trained, memory, refreshPart }: Transformer,
  { step, rate, norm, decay = 0 }: Update,
): void {
  const gradients = memory.gradients[0]?.at ?? 0;
  for (const { offset, rows, columns } of memory.part) {
    const at = offset * 4;
    memory.kernels.adamW(
      trained.weights.at + at,
      gradients + at,
      trained.means.at + at,
      trained.squares.at + at,
      rows * columns,
      Math.min(1, MOST_NORM / (norm + 1e-6)),
      BETA_1,
      BETA_2,
      rate / (1 - BETA_1 ** step),
      1 / (1 - BETA_2 ** step),
      EPSILON,
      rows > 1 ? rate * decay : 0,
    );
  }
  refreshPart();
}
