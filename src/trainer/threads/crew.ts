// The threads that train one model. They share its weights; each has its own rows of a step, activations and gradients.
// Who gets which rows, and the order in which gradients are summed, depend on the number of threads alone: so do the bits.
import { openThread } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import type { Batch } from '#trainer/model/batch.ts';
import type { ModelOptions } from '#trainer/model/memory.ts';
import { openTransformer, type Measured, type Transformer } from '#trainer/model/transformer.ts';
import { toWork, type ComparedObjective, type ReferredAnswer, type ThreadStart, type Work } from './work.ts';

export interface Crew {
  readonly model: Transformer;
  /** With the one that calls. */
  readonly threads: number;
  /**
   * Leaves in the model the gradients of `factor` times the losses of all batches. `shares`: the batches of each thread, at
   * most one share a thread. Resolves to the sum of the losses, in nats.
   */
  train(shares: readonly (readonly Batch[])[], factor: number): Promise<number>;
  /** The same of the losses of answers that are compared. `shares`: the passes of each thread. Resolves to what `Work` gives. */
  compare(
    shares: readonly (readonly (readonly ReferredAnswer[])[])[],
    objective: ComparedObjective,
  ): Promise<readonly (readonly number[])[]>;
  /** What the model's `measure` gives for each batch, at most one a thread. */
  measure(batches: readonly Batch[]): Promise<readonly Measured[]>;
  /** The same of `likeliest`. */
  likeliest(batches: readonly Batch[]): Promise<readonly Int32Array[]>;
  end(): Promise<void>;
}

function openHelper(start: ThreadStart): Asks<Work> {
  const entry = new URL('./passThreadEntry.ts', import.meta.url);
  return openAsks<Work>((onMessage) => openThread({ entry, data: start, onMessage }));
}

function toCrew(model: Transformer, helpers: readonly Asks<Work>[]): Crew {
  const { kernels, otherGradients } = model.memory;
  const others = helpers.map(({ ask }): Work => ({
    train: (batches, factor) => ask('train', batches, factor),
    compare: (passes, objective) => ask('compare', passes, objective),
    measure: (batch) => ask('measure', batch),
    likeliest: (batch) => ask('likeliest', batch),
  }));
  const own = toWork(model);
  /** The first item is for the calling thread, which is busy from when it has asked the others. */
  function perThread<Item, Found>(
    items: readonly Item[],
    ask: (work: Work, item: Item) => Promise<Found>,
  ): Promise<readonly Found[]> {
    if (items.length > others.length + 1)
      throw new Error(`There are ${items.length} tasks for ${others.length + 1} threads.`);
    const found = others.slice(0, Math.max(0, items.length - 1)).map((work, at) => ask(work, items[at + 1] as Item));
    return Promise.all([...items.slice(0, 1).map((item) => ask(own, item)), ...found]);
  }
  /** To those of the calling thread. */
  function addGradients(shares: number): void {
    const { gradients } = model.trained;
    for (const { at, count } of otherGradients.slice(0, shares - 1)) kernels.addScaled(gradients.at, at, count, 1);
  }
  return {
    model,
    threads: others.length + 1,
    async train(shares, factor) {
      const losses = await perThread(shares, ({ train }, batches) => train(batches, factor));
      addGradients(shares.length);
      return losses.reduce((sum, loss) => sum + loss, 0);
    },
    async compare(shares, objective) {
      const logps = await perThread(shares, ({ compare }, passes) => compare(passes, objective));
      addGradients(shares.length);
      return logps;
    },
    measure: (batches) => perThread(batches, ({ measure }, batch) => measure(batch)),
    likeliest: (batches) => perThread(batches, ({ likeliest }, batch) => likeliest(batch)),
    async end() {
      await Promise.all(helpers.map(({ isolated }) => isolated.end()));
    },
  };
}

/** A model that one thread trains. */
export const toLoneCrew = (model: Transformer): Crew => toCrew(model, []);

/** Opens a model, and the threads of its options. To be ended. Throws RangeError if there is not enough memory. */
export function openCrew(options: ModelOptions): Crew {
  const model = openTransformer(options);
  const { shared } = model.memory.machine;
  const helpers = model.memory.otherGradients.map((_, index) =>
    openHelper({ options, seat: { shared, thread: index + 1 } }),
  );
  return toCrew(model, helpers);
}
