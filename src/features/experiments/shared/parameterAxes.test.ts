import { expect, it } from 'vitest';
import { toParameters } from './parameters.ts';
import { toPackedParameter } from './packing.ts';
import { toParameterAxes } from './parameterAxes.ts';
import { toTestCandidate } from './candidate.fixture.ts';

it('has an axis for each parameter, under the id that a brush names', () => {
  const candidate = toTestCandidate('a', {
    n_epochs: null,
    extras: [
      { name: 'packing', kind: 'text', value: true },
      toPackedParameter('8 packed sequences, about 14 rows'),
      { name: 'last_loss', kind: 'number', value: 0.5 },
    ],
  });
  const axes = toParameterAxes(toParameters([candidate]));
  expect(axes.map(({ id, kind, read }) => [id, kind, read({ candidate })])).toEqual([
    ['base_model_id', 'category', 'qwen3-0.6b'],
    ['training_type', 'category', 'LoRA'],
    ['n_epochs', 'count', null],
    ['batch_size', 'count', 8],
    ['learning_rate_multiplier', 'rate', 2e-4],
    ['packing', 'category', 'true'],
    ['last_loss', 'number', 0.5],
  ]);
});
