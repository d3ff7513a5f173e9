// A run: one step after another on a model in memory, and measures on rows that are held out.
import { toBatch, toRowLength, type TokenRow } from '#trainer/model/batch.ts';
import type { Transformer } from '#trainer/model/transformer.ts';
import { planEpoch, SEQUENCE_TOKENS, toPasses } from './packing.ts';
import { toRate, type Schedule } from './schedule.ts';

export interface TrainingSettings {
  readonly epochs: number;
  /** Sequences of 128 tokens. */
  readonly batchSize: number;
  readonly rate: number;
  readonly seed: number;
  readonly schedule?: Schedule;
  /** ASSUMED: 0 where it is missing; runs of some hundred steps forget nothing that decay would have to hold down. */
  readonly weightDecay?: number | undefined;
  /** Part of a longer training, which goes on with the optimizer as it is. Missing: a run of its own, with its own course. */
  readonly part?: {
    readonly stepsBefore: number;
    /** The rate of a step of the whole training, from 1 on. */
    readonly toRate: (step: number) => number;
  };
}

interface StepResult {
  /** From 1 on. */
  readonly step: number;
  /** Epochs that are done, with the part of the current one. */
  readonly epoch: number;
  /** Mean over the targets, in nats. */
  readonly loss: number;
  readonly rate: number;
  readonly norm: number;
  readonly tokens: number;
  /** Whether an epoch ends with this step. */
  readonly isEpochEnd: boolean;
}

export interface HeldOutResult {
  readonly loss: number;
  /** Share of rows of which greedy decoding gives each token of the answer. */
  readonly exactMatch: number;
  /** By row. */
  readonly isRight: readonly boolean[];
  /** The mean loss of each row's answers, in nats a token. */
  readonly losses: readonly number[];
}

const BETA_1 = 0.9;
const BETA_2 = 0.98;
const EPSILON = 1e-8;
const MOST_NORM = 1;

export interface Training {
  readonly steps: number;
  readonly tokensPerStep: number;
  /** Trains on the batch of step `step` (from 1 on). Steps must come in order. */
  run(step: number): StepResult;
}

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

export function openTraining(
  model: Transformer,
  rows: readonly TokenRow[],
  settings: TrainingSettings,
  maxTokens: number,
): Training {
  const lengths = rows.map(toRowLength);
  const room = settings.batchSize * SEQUENCE_TOKENS;
  const epochs = Array.from({ length: settings.epochs }, (_, epoch) => planEpoch(lengths, room, settings.seed, epoch));
  const batches = epochs.flat();
  const ends = new Set<number>();
  for (const epoch of epochs) ends.add(epoch.length + Math.max(0, ...ends));
  const steps = batches.length;
  const { weightDecay: decay = 0 } = settings;
  const parts = toDecayParts(model, decay);
  const { memory, trained } = model;
  const { kernels } = memory;
  const countTargets = (batch: readonly number[]): number =>
    batch.reduce((sum, row) => sum + (rows[row]?.isTarget.subarray(1).reduce((all, one) => all + one, 0) ?? 0), 0);
  const tokens = lengths.reduce((sum, length) => sum + length, 0) * settings.epochs;
  return {
    steps,
    tokensPerStep: steps === 0 ? 0 : Math.round(tokens / steps),
    run(step) {
      const batch = batches[step - 1] ?? [];
      const targets = countTargets(batch);
      model.clearGradients();
      let lossSum = 0;
      for (const pass of toPasses(batch, lengths, maxTokens))
        lossSum += model.train(toBatch(pass.flatMap((row) => rows[row] ?? [])), 1 / targets);
      const norm = Math.sqrt(kernels.sumSquares(trained.gradients.at, trained.gradients.count));
      const { stepsBefore, toRate: toPartRate } = settings.part ?? { stepsBefore: 0, toRate: null };
      const at = stepsBefore + step;
      const rate = toPartRate?.(at) ?? toRate(step, steps, settings.rate, settings.schedule);
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
      const done = [...ends].findLast((end) => end <= step) ?? 0;
      const index = [...ends].indexOf(done) + 1;
      const size = epochs[index]?.length ?? 1;
      return {
        step,
        epoch: index + (step - done) / size,
        loss: lossSum / targets,
        rate,
        norm,
        tokens: batch.reduce((sum, row) => sum + (lengths[row] ?? 0), 0),
        isEpochEnd: ends.has(step),
      };
    },
  };
}

/** Measures on rows that are not trained on. Calls `pause` between passes. No rows: null. */
export async function measureHeldOut(
  model: Transformer,
  rows: readonly TokenRow[],
  maxTokens: number,
  pause: () => Promise<void>,
): Promise<HeldOutResult | null> {
  if (rows.length === 0) return null;
  const lengths = rows.map(toRowLength);
  const isRight: boolean[] = [];
  const losses: number[] = [];
  let lossSum = 0;
  let targets = 0;
  for (const pass of toPasses([...rows.keys()], lengths, maxTokens)) {
    const members = pass.flatMap((row) => rows[row] ?? []);
    const batch = toBatch(members);
    const { lossSum: sum, losses: each, isFirst } = model.measure(batch);
    lossSum += sum;
    targets += batch.targets.length;
    let from = 0;
    for (const row of members) {
      const count = row.isTarget.subarray(1).reduce((all, one) => all + one, 0);
      isRight.push(!isFirst.subarray(from, from + count).includes(0));
      losses.push(each.subarray(from, from + count).reduce((all, one) => all + one, 0) / Math.max(1, count));
      from += count;
    }
    await pause();
  }
  return {
    loss: lossSum / targets,
    exactMatch: isRight.filter(Boolean).length / rows.length,
    isRight,
    losses,
  };
}
