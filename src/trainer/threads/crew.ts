// The threads that train one model. They share its weights; each has its own rows of a step, activations and gradients.
// Who gets which rows, and the order in which gradients are summed, depend on the number of threads alone: so do the bits.
import { openThread } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import type { Batch } from '#trainer/model/batch.ts';
import type { ModelOptions } from '#trainer/model/memory.ts';
import { openTransformer, type Measured, type Transformer } from '#trainer/model/transformer.ts';
import type { Update } from '#trainer/training/optimizer.ts';
import { toWork, type ComparedObjective, type ReferredAnswer, type ThreadStart, type Work } from './work.ts';

interface Learnt<Found> {
  /** By thread. */
  readonly found: readonly Found[];
  /** Of all gradients. */
  readonly norm: number;
}

export interface Crew {
  readonly model: Transformer;
  /** With the one that calls. */
  readonly threads: number;
  /**
   * Leaves in the model the gradients of `factor` times the losses of all batches. `shares`: the batches of each thread, at
   * most one share a thread. Found: the sum of the losses of each, in nats.
   */
  train(shares: readonly (readonly Batch[])[], factor: number): Promise<Learnt<number>>;
  /** The same of the losses of answers that are compared. `shares`: the passes of each thread. Found: what `Work` gives. */
  compare(
    shares: readonly (readonly (readonly ReferredAnswer[])[])[],
    objective: ComparedObjective,
  ): Promise<Learnt<readonly number[]>>;
  /** Changes the weights by the gradients that the model has. */
  update(update: Update): Promise<void>;
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
  const others = helpers.map(({ ask }): Work => ({
    train: (batches, factor) => ask('train', batches, factor),
    compare: (passes, objective) => ask('compare', passes, objective),
    gather: (count) => ask('gather', count),
    update: (update) => ask('update', update),
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
  const everyone = Array.from({ length: others.length + 1 }, (_, thread) => thread);
  async function learn<Share, Found>(
    shares: readonly Share[],
    ask: (work: Work, share: Share) => Promise<Found>,
  ): Promise<Learnt<Found>> {
    const found = await perThread(shares, ask);
    const squares = await perThread(everyone, ({ gather }) => gather(shares.length));
    return { found, norm: Math.sqrt(squares.reduce((sum, part) => sum + part, 0)) };
  }
  return {
    model,
    threads: everyone.length,
    train: (shares, factor) => learn(shares, ({ train }, batches) => train(batches, factor)),
    compare: (shares, objective) => learn(shares, ({ compare }, passes) => compare(passes, objective)),
    async update(update) {
      await perThread(everyone, (work) => work.update(update));
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
  const helpers = model.memory.gradients
    .slice(1)
    .map((_, index) => openHelper({ options, seat: { shared, thread: index + 1 } }));
  return toCrew(model, helpers);
}
