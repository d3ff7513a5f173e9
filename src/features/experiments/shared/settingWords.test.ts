import { expect, it } from 'vitest';
import { toDifferingWords, toSettingWords, type RunSettings } from './settingWords.ts';

const RUN: RunSettings = {
  base_model_id: 'qwen',
  training_type: 'lora',
  n_epochs: 1,
  batch_size: 8,
  learning_rate_multiplier: 0.005,
  chosen: {},
};

it('has words for all settings that are known', () => {
  expect(toSettingWords({ ...RUN, n_epochs: null, chosen: { lora_rank: 16, seed: 2, warmup_steps: 5 } })).toEqual([
    'qwen',
    'LoRA',
    'batch 8',
    'rate 5e-3',
    'LoRA rank 16',
    'seed 2',
    'warm-up 5',
  ]);
});

it('tells runs apart by the words that not all have', () => {
  expect(
    toDifferingWords([
      { ...RUN, chosen: { seed: 1 } },
      { ...RUN, chosen: { seed: 2 } },
      { ...RUN, n_epochs: 2, chosen: { seed: 1, lora_rank: 4 } },
    ]),
  ).toEqual([
    ['1 epoch', 'seed 1'],
    ['1 epoch', 'seed 2'],
    ['2 epochs', 'LoRA rank 4', 'seed 1'],
  ]);
  expect(toDifferingWords([RUN, RUN])).toEqual([[], []]);
});
