// A run that learns from pairs of answers (DPO) or from wanted and unwanted ones (KTO). What the model thought of the answers
// when the run began is computed once, so that no second model is in memory.
import { countTargets, toBatch, toRowLength, type TokenRow } from '#trainer/model/batch.ts';
import { openRandom, toShuffled } from '#trainer/model/random.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { openOptimizer } from '#trainer/training/optimizer.ts';
import { planEpoch, SEQUENCE_TOKENS, toPasses } from '#trainer/training/packing.ts';
import { toRate } from '#trainer/training/schedule.ts';
import { toStepPlan } from '#trainer/training/stepPlan.ts';
import {
  measureHeldOut,
  type HeldOutResult,
  type Learning,
  type LearningOptions,
  type TrainingSettings,
} from '#trainer/training/training.ts';
import { toMismatches } from './mismatches.ts';
import {
  toDpo,
  toKl,
  toKto,
  toRewardAccuracy,
  toRewardMetrics,
  type KtoWeights,
  type Objective,
  type ScoredAnswer,
} from './objectives.ts';
import type { ComparedAnswer, Comparison, PreferenceObjective } from './readComparisons.ts';

export interface PreferenceSettings extends TrainingSettings {
  readonly objective: PreferenceObjective;
  readonly beta: number;
  /** Of KTO. */
  readonly weights: KtoWeights;
}

interface PreferenceOptions extends LearningOptions {
  readonly settings: PreferenceSettings;
  readonly training: readonly Comparison[];
  readonly heldOut: readonly Comparison[];
  /** Called between passes. */
  readonly pause: () => Promise<void>;
}

/** Of a job; what nobody chose is as in TRL. */
export const toPreferenceSettings = (
  { beta = 0.1, desirable_weight: desirable = 1, undesirable_weight: undesirable = 1 }: TrainerJob,
  objective: PreferenceObjective,
): Omit<PreferenceSettings, keyof TrainingSettings> => ({ objective, beta, weights: { desirable, undesirable } });

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const toAnswerLengths = ({ answers }: Comparison): number => sum(answers.map(toRowLength));

/** Sums of log-probabilities of each row's answer, in nats. */
const toLogps = (rows: readonly TokenRow[], { losses }: Pick<HeldOutResult, 'losses'>): readonly number[] =>
  rows.map((row, at) => -(losses[at] ?? 0) * countTargets(row));

/** The loss of each comparison, whose answers stand one after the other. */
function toObjectives(
  scored: readonly ScoredAnswer[],
  { objective, beta, weights }: PreferenceSettings,
  kl: number,
): readonly Objective[] {
  if (objective === 'kto') return scored.map((answer) => toKto(answer, beta, kl, weights));
  return toPairs(scored).map(([chosen, rejected]) => toDpo(chosen, rejected, beta));
}

const toPairs = <Answer>(answers: readonly Answer[]): readonly (readonly [Answer, Answer])[] =>
  answers.flatMap((chosen, at) => {
    const rejected = answers[at + 1];
    return at % 2 === 0 && rejected !== undefined ? [[chosen, rejected] as const] : [];
  });

const toMetrics = (
  scored: readonly ScoredAnswer[],
  { objective, beta }: PreferenceSettings,
  kl: number,
): Readonly<Record<string, number>> => ({
  ...toRewardMetrics(scored, beta),
  ...(objective === 'kto' ? { kl } : {}),
  ...(objective === 'dpo' ? { 'rewards/accuracies': toRewardAccuracy(toPairs(scored)) } : {}),
});

/** The share of pairs of which the model finds the preferred answer likelier, whatever it thought before. */
const toPreferenceAccuracy = (scored: readonly ScoredAnswer[]): number => {
  const pairs = toPairs(scored);
  return pairs.filter(([chosen, rejected]) => chosen.logp > rejected.logp).length / pairs.length;
};

/** The batches of each epoch. Mismatched answers are those of the same batch, so KTO's batches stay, and their order changes. */
function toEpochs(
  lengths: readonly number[],
  { objective, epochs, batchSize, seed }: PreferenceSettings,
): readonly (readonly (readonly number[])[])[] {
  const toBatches = (epoch: number) => planEpoch(lengths, batchSize * SEQUENCE_TOKENS, seed, epoch);
  const first = toBatches(0);
  return Array.from({ length: epochs }, (_, epoch) => {
    if (epoch === 0) return first;
    if (objective === 'dpo') return toBatches(epoch);
    const order = toShuffled(first.length, openRandom(Math.imul(seed + 1, 0x9e3779b1) + epoch));
    return Array.from(order, (at) => first[at] ?? []);
  });
}

/** Sums of log-probabilities of each row's answer, from the losses of all tokens, one row after the other. */
function toRowLogps(rows: readonly TokenRow[], losses: Float32Array): readonly number[] {
  let from = 0;
  return rows.map((row) => {
    const own = losses.subarray(from, from + countTargets(row));
    from += own.length;
    return -own.reduce((all, loss) => all + loss, 0);
  });
}

/** What the starting model thought of rows, and what the model thinks of them now. */
function openScores({ crew, maxTokens, pause }: PreferenceOptions) {
  const references = new Map<TokenRow, number>();
  const measure = async (rows: readonly TokenRow[]) =>
    (await measureHeldOut(crew, rows, maxTokens, pause)) ?? { losses: [], isRight: [] };
  /** How far the model is from where it began, by rows of mismatched answers. */
  const toDistance = (rows: readonly TokenRow[], logps: readonly number[]): number =>
    toKl(rows.map((row, at) => ({ logp: logps[at] ?? 0, reference: references.get(row) ?? 0 })));
  return {
    measure,
    async remember(rows: readonly TokenRow[]): Promise<void> {
      const logps = toLogps(rows, await measure(rows));
      for (const [at, row] of rows.entries()) references.set(row, logps[at] ?? 0);
    },
    toScored: (answers: readonly ComparedAnswer[], logps: readonly number[]): readonly ScoredAnswer[] =>
      answers.map((answer, at) => ({
        isWanted: answer.isWanted,
        logp: logps[at] ?? 0,
        reference: references.get(answer) ?? 0,
      })),
    /** Forward alone: TRL lets no gradient through the estimate. */
    findKl(rows: readonly TokenRow[]): number {
      const logps = toPasses([...rows.keys()], rows.map(toRowLength), maxTokens).flatMap((pass) => {
        const own = pass.flatMap((at) => rows[at] ?? []);
        return toRowLogps(own, crew.model.measure(toBatch(own)).losses);
      });
      return toDistance(rows, logps);
    },
    measureKl: async (rows: readonly TokenRow[]): Promise<number> =>
      toDistance(rows, toLogps(rows, await measure(rows))),
  };
}

/** A pass must have room for a pair. `isRight` and `losses` of a measure are those of the wanted answers. */
export function openPreferenceRun(options: PreferenceOptions): Learning {
  const { crew, training: units, heldOut, settings, maxTokens, maxRow } = options;
  const { objective } = settings;
  const lengths = units.map(toAnswerLengths);
  const plan = toStepPlan(toEpochs(lengths, settings));
  const steps = plan.batches.length;
  const answersOf = (batch: readonly number[]) => batch.flatMap((unit) => units[unit]?.answers ?? []);
  const mismatchesOf = (answers: readonly TokenRow[]) => (objective === 'kto' ? toMismatches(answers, maxRow) : []);
  const mismatches = new Map([...new Set(plan.batches)].map((batch) => [batch, mismatchesOf(answersOf(batch))]));
  const heldOutAnswers = heldOut.flatMap(({ answers }) => answers);
  const heldOutMismatches = mismatchesOf(heldOutAnswers);
  const scores = openScores(options);
  const update = openOptimizer(crew.model, settings.weightDecay);
  return {
    training: {
      steps,
      tokensPerStep: steps === 0 ? 0 : Math.round((sum(lengths) * settings.epochs) / steps),
      async run(step) {
        const batch = plan.batches[step - 1] ?? [];
        const kl = scores.findKl(mismatches.get(batch) ?? []);
        crew.model.clearGradients();
        let loss = 0;
        const scored: ScoredAnswer[] = [];
        for (const pass of toPasses(batch, lengths, maxTokens)) {
          const answers = answersOf(pass);
          crew.model.trainEach(toBatch(answers), (losses) => {
            const own = scores.toScored(answers, toRowLogps(answers, losses));
            const objectives = toObjectives(own, settings, kl);
            scored.push(...own);
            loss += sum(objectives.map((each) => each.loss)) / batch.length;
            // The cross entropy is the negative log-probability.
            const factors = objectives.flatMap(({ slopes }) => slopes.map((slope) => -slope / batch.length));
            return Float32Array.from(
              answers.flatMap((row, at) => Array.from({ length: countTargets(row) }, () => factors[at] ?? 0)),
            );
          });
        }
        const rate = toRate(step, steps, settings.rate, settings.schedule);
        const norm = update(step, rate);
        const tokens = sum(batch.map((unit) => lengths[unit] ?? 0));
        return { step, ...plan.toPlace(step), loss, rate, norm, tokens, metrics: toMetrics(scored, settings, kl) };
      },
    },
    prepare: () =>
      scores.remember([
        ...units.flatMap(({ answers }) => answers),
        ...heldOutAnswers,
        ...[...mismatches.values()].flat(),
        ...heldOutMismatches,
      ]),
    async measure() {
      if (heldOut.length === 0) return null;
      const measured = await scores.measure(heldOutAnswers);
      const kl = await scores.measureKl(heldOutMismatches);
      const scored = scores.toScored(heldOutAnswers, toLogps(heldOutAnswers, measured));
      const isWanted = (_: unknown, at: number): boolean => heldOutAnswers[at]?.isWanted === true;
      const isRight = measured.isRight.filter(isWanted);
      return {
        loss: sum(toObjectives(scored, settings, kl).map((each) => each.loss)) / heldOut.length,
        exactMatch: isRight.length === 0 ? null : isRight.filter(Boolean).length / isRight.length,
        isRight,
        losses: measured.losses.filter(isWanted),
        metrics: toMetrics(scored, settings, kl),
        ...(objective === 'dpo' && { measures: { preference_accuracy: toPreferenceAccuracy(scored) } }),
      };
    },
  };
}
