// The losses of DPO (https://arxiv.org/abs/2305.18290) and KTO (https://arxiv.org/abs/2402.01306), as TRL computes them by
// default. Pure.

/** An answer: the sums of the log-probabilities of its tokens by the model and by the one that the run began with, in nats. */
export interface ScoredAnswer {
  readonly isWanted: boolean;
  readonly logp: number;
  readonly reference: number;
}

/** `slopes`: how the loss changes with the log-probability of each answer. */
export interface Objective {
  readonly loss: number;
  readonly slopes: readonly number[];
}

export interface KtoWeights {
  readonly desirable: number;
  readonly undesirable: number;
}

export interface ObjectiveSettings {
  readonly objective: 'dpo' | 'kto';
  readonly beta: number;
  /** Of KTO. */
  readonly weights: KtoWeights;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** -log(sigmoid(x)), also where the exponential has no room. */
const softplusOfNegative = (x: number): number => Math.max(0, -x) + Math.log1p(Math.exp(-Math.abs(x)));

const toRatio = ({ logp, reference }: ScoredAnswer): number => logp - reference;

/** Of one pair: the slopes are those of the preferred answer and of the other one. */
export function toDpo(chosen: ScoredAnswer, rejected: ScoredAnswer, beta: number): Objective {
  const margin = beta * (toRatio(chosen) - toRatio(rejected));
  const slope = beta * sigmoid(-margin);
  return { loss: softplusOfNegative(margin), slopes: [-slope, slope] };
}

/** Of one answer. `kl`: how far the model is from the reference on answers to other prompts, in nats; see toKl. */
export function toKto(
  answer: ScoredAnswer,
  beta: number,
  kl: number,
  { desirable, undesirable }: KtoWeights,
): Objective {
  const [sign, weight] = answer.isWanted ? [1, desirable] : [-1, undesirable];
  const value = sigmoid(sign * beta * (toRatio(answer) - kl));
  return { loss: weight * (1 - value), slopes: [-sign * weight * beta * value * (1 - value)] };
}

export const toPairs = <Answer>(answers: readonly Answer[]): readonly (readonly [Answer, Answer])[] =>
  answers.flatMap((chosen, at) => {
    const rejected = answers[at + 1];
    return at % 2 === 0 && rejected !== undefined ? [[chosen, rejected] as const] : [];
  });

/** Of each pair for DPO, whose answers stand one after the other; of each answer for KTO. */
export function toObjectives(
  scored: readonly ScoredAnswer[],
  { objective, beta, weights }: ObjectiveSettings,
  kl: number,
): readonly Objective[] {
  if (objective === 'kto') return scored.map((answer) => toKto(answer, beta, kl, weights));
  return toPairs(scored).map(([chosen, rejected]) => toDpo(chosen, rejected, beta));
}

const toMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of mismatched prompts and answers; 0 where there are none. */
export const toKl = (mismatched: readonly Pick<ScoredAnswer, 'logp' | 'reference'>[]): number =>
  mismatched.length === 0 ? 0 : Math.max(0, toMean(mismatched.map(({ logp, reference }) => logp - reference)));

/** Means by TRL's names; one without an answer is missing. */
export function toRewardMetrics(answers: readonly ScoredAnswer[], beta: number): Readonly<Record<string, number>> {
  const metrics: Record<string, number> = {};
  for (const [name, isWanted] of [
    ['chosen', true],
    ['rejected', false],
  ] as const) {
    const own = answers.filter((answer) => answer.isWanted === isWanted);
    if (own.length === 0) continue;
    metrics[`rewards/${name}`] = beta * toMean(own.map(toRatio));
    metrics[`logps/${name}`] = toMean(own.map(({ logp }) => logp));
  }
  const { 'rewards/chosen': chosen, 'rewards/rejected': rejected } = metrics;
  if (chosen !== undefined && rejected !== undefined) metrics['rewards/margins'] = chosen - rejected;
  return metrics;
}

/** The share of pairs whose preferred answer gained more; of equal ones none did. */
export const toRewardAccuracy = (pairs: readonly (readonly [ScoredAnswer, ScoredAnswer])[]): number =>
  toMean(pairs.map(([chosen, rejected]) => (toRatio(chosen) > toRatio(rejected) ? 1 : 0)));
