// A run that learns from pairs of answers (DPO) or from wanted and unwanted ones (KTO). What the model thought of the answers
// when the run began is computed once, so that no second model is in memory.
import { countTargets, toRowLength, type TokenRow } from '#trainer/model/batch.ts';
import { openRandom, toShuffled } from '#trainer/model/random.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { planEpoch, SEQUENCE_TOKENS, toPasses, toShares } from '#trainer/training/packing.ts';
import type { ReferredAnswer } from '#trainer/threads/work.ts';
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
  toKl,
  toObjectives,
  toPairs,
  toRewardAccuracy,
  toRewardMetrics,
  type ObjectiveSettings,
  type ScoredAnswer,
} from './objectives.ts';
import type { ComparedAnswer, Comparison, PreferenceObjective } from './readComparisons.ts';

export interface PreferenceSettings extends TrainingSettings, ObjectiveSettings {}

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
): ObjectiveSettings => ({ objective, beta, weights: { desirable, undesirable } });

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const toAnswerLengths = ({ answers }: Comparison): number => sum(answers.map(toRowLength));

/** Sums of log-probabilities of each row's answer, in nats. */
const toLogps = (rows: readonly TokenRow[], { losses }: Pick<HeldOutResult, 'losses'>): readonly number[] =>
  rows.map((row, at) => -(losses[at] ?? 0) * countTargets(row));

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
export function planPreferenceEpochs(
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

/** What the starting model thought of rows, and what the model thinks of them now. */
function openScores({ crew, maxTokens, pause }: PreferenceOptions) {
  const references = new Map<TokenRow, number>();
  const measure = async (rows: readonly TokenRow[]) =>
    (await measureHeldOut(crew, rows, maxTokens, pause)) ?? { losses: [], isRight: [] };
  return {
    measure,
    async remember(rows: readonly TokenRow[]): Promise<void> {
      const logps = toLogps(rows, await measure(rows));
      for (const [at, row] of rows.entries()) references.set(row, logps[at] ?? 0);
    },
    toReferred: (answers: readonly ComparedAnswer[]): readonly ReferredAnswer[] =>
      answers.map((row) => ({
        tokens: row.tokens,
        isTarget: row.isTarget,
        isWanted: row.isWanted,
        reference: references.get(row) ?? 0,
      })),
    toScored: (answers: readonly ComparedAnswer[], logps: readonly number[]): readonly ScoredAnswer[] =>
      answers.map((answer, at) => ({
        isWanted: answer.isWanted,
        logp: logps[at] ?? 0,
        reference: references.get(answer) ?? 0,
      })),
    /** How far the model is from its start, by mismatched answers. Forward alone: TRL lets no gradient through the estimate. */
    async measureKl(rows: readonly TokenRow[]): Promise<number> {
      const logps = toLogps(rows, await measure(rows));
      return toKl(rows.map((row, at) => ({ logp: logps[at] ?? 0, reference: references.get(row) ?? 0 })));
    },
  };
}

/** A pass must have room for a pair. `isRight` and `losses` of a measure are those of the wanted answers. */
export function openPreferenceRun(options: PreferenceOptions): Learning {
  const { crew, training: units, heldOut, settings, maxTokens, maxRow } = options;
  const { objective, beta, weights } = settings;
  const lengths = units.map(toAnswerLengths);
  const plan = toStepPlan(planPreferenceEpochs(lengths, settings));
  const steps = plan.batches.length;
  const answersOf = (batch: readonly number[]) => batch.flatMap((unit) => units[unit]?.answers ?? []);
  const mismatchesOf = (answers: readonly TokenRow[]) => (objective === 'kto' ? toMismatches(answers, maxRow) : []);
  const mismatches = new Map([...new Set(plan.batches)].map((batch) => [batch, mismatchesOf(answersOf(batch))]));
  const heldOutAnswers = heldOut.flatMap(({ answers }) => answers);
  const heldOutMismatches = mismatchesOf(heldOutAnswers);
  const scores = openScores(options);
  return {
    training: {
      steps,
      tokensPerStep: steps === 0 ? 0 : Math.round((sum(lengths) * settings.epochs) / steps),
      async run(step) {
        const batch = plan.batches[step - 1] ?? [];
        const kl = await scores.measureKl(mismatches.get(batch) ?? []);
        const shares = toShares(batch, lengths, crew.threads);
        const passes = shares.map((share) => toPasses(share, lengths, maxTokens).map(answersOf).map(scores.toReferred));
        const { found, norm } = await crew.compare(passes, { objective, beta, weights, kl, factor: 1 / batch.length });
        const scored = shares.flatMap((share, at) => scores.toScored(answersOf(share), found[at] ?? []));
        const loss = sum(toObjectives(scored, settings, kl).map((each) => each.loss)) / batch.length;
        const rate = toRate(step, steps, settings.rate, settings.schedule);
        await crew.update({ step, rate, norm, decay: settings.weightDecay });
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
