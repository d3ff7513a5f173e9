// What each thread of a crew does with its own batches.
import { countTargets, toBatch, type Batch, type TokenRow } from '#trainer/model/batch.ts';
import type { ModelOptions, Seat } from '#trainer/model/memory.ts';
import type { Measured, Transformer } from '#trainer/model/transformer.ts';
import { updatePart, type Update } from '#trainer/training/optimizer.ts';
import { toObjectives, type ObjectiveSettings } from '#trainer/preference/objectives.ts';

/** What a thread begins with. */
export interface ThreadStart {
  readonly options: ModelOptions;
  readonly seat: Seat;
}

/** An answer with what the starting model thought of it: the log-probability, in nats. */
export interface ReferredAnswer extends TokenRow {
  readonly isWanted: boolean;
  readonly reference: number;
}

export interface ComparedObjective extends ObjectiveSettings {
  /** How far the model is from its start. */
  readonly kl: number;
  /** Of each loss: 1 / comparisons of the step. */
  readonly factor: number;
}

export interface Work {
  /** Leaves the gradients of these batches alone in this thread. Resolves to the sum of their losses, in nats. */
  readonly train: (batches: readonly Batch[], factor: number) => Promise<number>;
  /** The same of answers that are compared, which pass through the model together. Resolves to their log-probabilities. */
  readonly compare: (
    passes: readonly (readonly ReferredAnswer[])[],
    objective: ComparedObjective,
  ) => Promise<readonly number[]>;
  /** Adds up the gradients of the first `count` threads in this thread's part. Resolves to the sum of their squares. */
  readonly gather: (count: number) => Promise<number>;
  /** Changes the weights of this thread's part. */
  readonly update: (update: Update) => Promise<void>;
  readonly measure: (batch: Batch) => Promise<Measured>;
  readonly likeliest: (batch: Batch) => Promise<Int32Array>;
}

/** Sums of log-probabilities of each row's answer, from the losses of all tokens, one row after the other. */
function toLogps(rows: readonly TokenRow[], losses: Float32Array): readonly number[] {
  let from = 0;
  return rows.map((row) => {
    const own = losses.subarray(from, from + countTargets(row));
    from += own.length;
    return -own.reduce((all, loss) => all + loss, 0);
  });
}

function compare(
  model: Transformer,
  answers: readonly ReferredAnswer[],
  { kl, factor, ...settings }: ComparedObjective,
): readonly number[] {
  let logps: readonly number[] = [];
  model.trainEach(toBatch(answers), (losses) => {
    logps = toLogps(answers, losses);
    const scored = answers.map(({ isWanted, reference }, at) => ({ isWanted, reference, logp: logps[at] ?? 0 }));
    // The cross entropy is the negative log-probability.
    const factors = toObjectives(scored, settings, kl).flatMap(({ slopes }) => slopes.map((slope) => -slope * factor));
    return Float32Array.from(
      answers.flatMap((row, at) => Array.from({ length: countTargets(row) }, () => factors[at] ?? 0)),
    );
  });
  return logps;
}

function gather({ memory, trained }: Transformer, count: number): number {
  const [first] = memory.part;
  const last = memory.part.at(-1);
  if (first === undefined || last === undefined) return 0;
  const from = first.offset * 4;
  const size = last.offset + last.rows * last.columns - first.offset;
  const [sum = trained.gradients, ...others] = memory.gradients.slice(0, count);
  for (const { at } of others) memory.kernels.addScaled(sum.at + from, at + from, size, 1);
  return memory.kernels.sumSquares(sum.at + from, size);
}

export const toWork = (model: Transformer): Work => ({
  async train(batches, factor) {
    model.clearGradients();
    return batches.reduce((sum, batch) => sum + model.train(batch, factor), 0);
  },
  async compare(passes, objective) {
    model.clearGradients();
    return passes.flatMap((answers) => compare(model, answers, objective));
  },
  gather: async (count) => gather(model, count),
  update: async (update) => updatePart(model, update),
  measure: async (batch) => model.measure(batch),
  likeliest: async (batch) => model.likeliest(batch),
});
