import { describe, expect, it } from 'vitest';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import { toNextTrainings } from './nextTrainings.ts';

function toNext(recommended_experiments: readonly object[], isAbsolute = true) {
  const read = readRecommendation({ snapshot_id: 's', status: 'completed', recommended_experiments });
  if (!read.ok) throw new Error(read.reason);
  return toNextTrainings(read.value, isAbsolute);
}

describe('toNextTrainings', () => {
  it('says what is recommended in one line, for this studio first', () => {
    const next = toNext([
      { base_model_id: 'qwen2.5-0.5b', lora: true, learning_rate_multiplier: 2e-4, n_epochs: 3, recommended: true },
      {
        base_model_id: 'support-base',
        lora: false,
        n_epochs: 1,
        batch_size: 8,
        recommended: true,
        reason_for_recommendation: 'It leads. By far.',
      },
      { base_model_id: 'support-base', lora: true, recommended: false },
    ]);
    expect(
      next.map(({ title, reason, isOnHub, candidate }) => ({ title, reason, isOnHub, base: candidate.base_model_id })),
    ).toEqual([
      {
        title: 'Full training of support-base, 1 epoch, batch 8',
        reason: 'It leads.',
        isOnHub: false,
        base: 'support-base',
      },
      {
        title: 'LoRA of qwen2.5-0.5b at learning rate 2e-4, 3 epochs',
        reason: null,
        isOnHub: true,
        base: 'qwen2.5-0.5b',
      },
    ]);
  });

  it('calls a factor a multiplier', () => {
    const [first] = toNext([{ base_model_id: 'm', lora: true, learning_rate_multiplier: 2, recommended: true }], false);
    expect(first?.title).toBe('LoRA of m at learning rate multiplier 2');
  });

  it('is empty without a recommendation', () => expect(toNext([])).toEqual([]));
});
