import { expect, it } from 'vitest';
import { parseModelCard } from './modelCard.ts';

const optimizerOf = (written: string): unknown =>
  parseModelCard(`### Training hyperparameters\n- optimizer: ${written}\n- seed: 1\n`).parameters['optimizer'];

it.each([
  [
    'Use OptimizerNames.ADAMW_TORCH with betas=(0.9,0.999) and epsilon=1e-08 and optimizer_args=No additional arguments',
    'adamw_torch',
  ],
  ['Use adamw_torch_fused with betas=(0.9,0.95) and epsilon=1e-08', 'adamw_torch_fused'],
  ['Adam with betas=(0.9,0.999) and epsilon=1e-08', undefined],
  ['paged_adamw_8bit', 'paged_adamw_8bit'],
])('the optimizer of a card is taken out of its sentence: %s', (written, name) => {
  expect(optimizerOf(written)).toBe(name);
});
