import { describe, expect, it } from 'vitest';
import { toDpo, toKl, toKto, toRewardAccuracy, toRewardMetrics, type ScoredAnswer } from './objectives.ts';

const [TOKENS, VOCABULARY] = [6, 11];

/** Rows of logits by a formula, which TRL 1.16.0 was given too: `_compute_loss` of its DPOTrainer and KTOTrainer. */
function toScored(row: number, isWanted: boolean): ScoredAnswer {
  const sum = (shift: number): number => {
    let logp = 0;
    for (let at = 0; at < TOKENS - 1; at += 1) {
      const next = at + 1;
      if (next < 2 + (row % 3) || next >= TOKENS - (row % 2)) continue;
      const logits = Array.from({ length: VOCABULARY }, (_, token) =>
        Math.sin(shift + row * 1.7 + at * 0.9 + token * (row + 2) * 0.31),
      );
      const all = logits.reduce((total, logit) => total + Math.exp(logit), 0);
      logp += (logits[(row * 3 + next * 5 + 1) % VOCABULARY] ?? 0) - Math.log(all);
    }
    return logp;
  };
  return { isWanted, logp: sum(1.3), reference: sum(0.4) };
}

/** How a loss changes with each log-probability, by differences. */
const differences = (answers: readonly ScoredAnswer[], lossOf: (answers: readonly ScoredAnswer[]) => number) =>
  answers.map((_, place) => {
    const at = (step: number): number =>
      lossOf(answers.map((answer, index) => (index === place ? { ...answer, logp: answer.logp + step } : answer)));
    return (at(1e-5) - at(-1e-5)) / 2e-5;
  });

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('DPO of three pairs', () => {
  const pairs = [0, 1, 2].map((row) => [toScored(row, true), toScored(row + 3, false)] as const);

  it('has the loss, rewards and log-probabilities of TRL', () => {
    expect(mean(pairs.map(([chosen, rejected]) => toDpo(chosen, rejected, 0.1).loss))).toBeCloseTo(0.6614653036, 9);
    const metrics = toRewardMetrics(pairs.flat(), 0.1);
    expect(metrics['rewards/chosen']).toBeCloseTo(0.0778262155, 9);
    expect(metrics['rewards/rejected']).toBeCloseTo(0.011993882, 9);
    expect(metrics['rewards/margins']).toBeCloseTo(0.0658323334, 9);
    expect(metrics['logps/chosen']).toBeCloseTo(-5.9767425305, 9);
    expect(metrics['logps/rejected']).toBeCloseTo(-5.335660938, 9);
    expect(toRewardAccuracy(pairs)).toBeCloseTo(2 / 3, 9);
  });

  it('has the slopes of its loss, and a finite loss however far the answers are apart', () => {
    for (const pair of pairs) {
      const found = differences(pair, ([chosen, rejected]) => toDpo(chosen!, rejected!, 0.1).loss);
      toDpo(...pair, 0.1).slopes.forEach((slope, at) => expect(slope).toBeCloseTo(found[at]!, 6));
    }
    const far = { isWanted: true, logp: -1e5, reference: 0 };
    expect(toDpo(far, { ...far, logp: 0 }, 0.1).loss).toBeCloseTo(1e4, 6);
  });
});

describe('KTO of five answers', () => {
  const answers = [true, false, false, true, false].map((isWanted, row) => toScored(row, isWanted));
  const weights = { desirable: 1, undesirable: 1.5 };
  const references = [-3.1, -4.2, -2.5, -5, -3.3];
  const lossAt = (moved: readonly number[]): number => {
    const kl = toKl(references.map((reference, at) => ({ reference, logp: reference + (moved[at] ?? 0) })));
    return mean(answers.map((answer) => toKto(answer, 0.1, kl, weights).loss));
  };

  it('has the loss and rewards of TRL, also where the model came nearer to the reference', () => {
    expect(lossAt([0.5, 0.2, 1, -0.3, 0.9])).toBeCloseTo(0.6478316548, 9);
    expect(lossAt([-0.5, -0.2, -1, 0.3, -0.9])).toBeCloseTo(0.6535672562, 9);
    const metrics = toRewardMetrics(answers, 0.1);
    expect(metrics['rewards/chosen']).toBeCloseTo(0.0400153942, 9);
    expect(metrics['rewards/rejected']).toBeCloseTo(0.0336615019, 9);
  });

  it('has the slopes of its loss', () => {
    for (const answer of answers) {
      const [found] = differences([answer], ([one]) => toKto(one!, 0.1, 0.46, weights).loss);
      expect(toKto(answer, 0.1, 0.46, weights).slopes[0]).toBeCloseTo(found!, 6);
    }
  });
});
