// A run: one step after another on a model in memory, and measures on rows that are held out.
import { countTargets, toBatch, toRowLength, type TokenRow } from '#trainer/model/batch.ts';
import type { Crew } from '#trainer/threads/crew.ts';
import { planEpoch, SEQUENCE_TOKENS, toPasses, toRounds, toShares } from './packing.ts';
import { toRate, type Schedule } from './schedule.ts';
import { toStepPlan } from './stepPlan.ts';

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
  /** Mean over the targets, in nats; of pairs of answers, that of their objective. */
  readonly loss: number;
  readonly rate: number;
  readonly norm: number;
  readonly tokens: number;
  /** Whether an epoch ends with this step. */
  readonly isEpochEnd: boolean;
  /** What else the objective measures, by the names of TRL. */
  readonly metrics?: Readonly<Record<string, number>>;
}

export interface HeldOutResult {
  readonly loss: number;
  /** Share of rows of which greedy decoding gives each token of the answer; null: no row has one to expect. */
  readonly exactMatch: number | null;
  /** By row. */
  readonly isRight: readonly boolean[];
  /** The mean loss of each row's answers, in nats a token. */
  readonly losses: readonly number[];
  /** What else the objective measures, by the names of TRL. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** Further measures of a result. */
  readonly measures?: Readonly<Record<string, number>>;
}

export interface Training {
  readonly steps: number;
  readonly tokensPerStep: number;
  /** Trains on the batch of step `step` (from 1 on). Steps must come in order. */
  run(step: number): Promise<StepResult>;
}

/** `maxTokens`: of one pass on one thread. */
export function openTraining(
  crew: Crew,
  rows: readonly TokenRow[],
  settings: TrainingSettings,
  maxTokens: number,
): Training {
  const lengths = rows.map(toRowLength);
  const room = settings.batchSize * SEQUENCE_TOKENS;
  const epochs = Array.from({ length: settings.epochs }, (_, epoch) => planEpoch(lengths, room, settings.seed, epoch));
  const { batches, toPlace } = toStepPlan(epochs);
  const steps = batches.length;
  const targetCounts = rows.map(countTargets);
  const tokens = lengths.reduce((sum, length) => sum + length, 0) * settings.epochs;
  return {
    steps,
    tokensPerStep: steps === 0 ? 0 : Math.round(tokens / steps),
    async run(step) {
      const batch = batches[step - 1] ?? [];
      const targets = batch.reduce((sum, row) => sum + (targetCounts[row] ?? 0), 0);
      const shares = toShares(batch, lengths, crew.threads).map((share) =>
        toPasses(share, lengths, maxTokens).map((pass) => toBatch(pass.flatMap((row) => rows[row] ?? []))),
      );
      const { found, norm } = await crew.train(shares, 1 / targets);
      const lossSum = found.reduce((sum, loss) => sum + loss, 0);
      const { stepsBefore, toRate: toPartRate } = settings.part ?? { stepsBefore: 0, toRate: null };
      const at = stepsBefore + step;
      const rate = toPartRate?.(at) ?? toRate(step, steps, settings.rate, settings.schedule);
      await crew.update({ step: at, rate, norm, decay: settings.weightDecay });
      return {
        step,
        ...toPlace(step),
        loss: lossSum / targets,
        rate,
        norm,
        tokens: batch.reduce((sum, row) => sum + (lengths[row] ?? 0), 0),
      };
    },
  };
}

/** What a run learns, and how it is measured. */
export interface Learning {
  readonly training: Training;
  /** What is to be computed from the starting weights: before the first step, and before a checkpoint is read. */
  prepare(): Promise<void>;
  /** null: no row is held out. */
  measure(): Promise<HeldOutResult | null>;
}

export interface LearningOptions {
  readonly crew: Crew;
  readonly settings: TrainingSettings;
  /** Tokens of one pass, and of the longest row. */
  readonly maxTokens: number;
  readonly maxRow: number;
}

/** Measures on rows that are not trained on. Calls `pause` between rounds of passes. No rows: null. */
export async function measureHeldOut(
  crew: Crew,
  rows: readonly TokenRow[],
  maxTokens: number,
  pause: () => Promise<void>,
): Promise<(HeldOutResult & { readonly exactMatch: number }) | null> {
  if (rows.length === 0) return null;
  const lengths = rows.map(toRowLength);
  const isRight: boolean[] = [];
  const losses: number[] = [];
  let lossSum = 0;
  let targets = 0;
  for (const round of toRounds(toPasses([...rows.keys()], lengths, maxTokens), crew.threads)) {
    const parts = round.map((pass) => pass.flatMap((row) => rows[row] ?? []));
    const found = await crew.measure(parts.map(toBatch));
    for (const [index, { lossSum: sum, losses: each, isFirst }] of found.entries()) {
      lossSum += sum;
      targets += each.length;
      let from = 0;
      for (const row of parts[index] ?? []) {
        const count = countTargets(row);
        isRight.push(!isFirst.subarray(from, from + count).includes(0));
        losses.push(each.subarray(from, from + count).reduce((all, one) => all + one, 0) / Math.max(1, count));
        from += count;
      }
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
