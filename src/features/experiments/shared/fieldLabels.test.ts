import { expect, it } from 'vitest';
import { toFieldHint, toFieldLabel, toFieldTip } from './fieldLabels.ts';

it('calls the multiplier the learning rate only where it is the rate itself', () => {
  expect(toFieldLabel('learning_rate_multiplier')).toBe('Learning rate multiplier');
  expect(toFieldLabel('learning_rate_multiplier', true)).toBe('Learning rate');
  expect(toFieldHint('learning_rate_multiplier', true)).toBeUndefined();
});

it('shows a field that only its service knows as it is sent, without the escapes of a path', () =>
  expect(['constructor', String.raw`model_config\.bos_token_id`].map((name) => toFieldLabel(name))).toEqual([
    'constructor',
    'model_config.bos_token_id',
  ]));

it('has the name in the API in the tooltip, unless the label is that name', () => {
  expect(toFieldTip({ id: 'first_loss', label: 'First loss', hint: 'training loss of the first step' })).toBe(
    'First loss: training loss of the first step. In the API: first_loss.',
  );
  expect(toFieldTip({ id: '+kept', label: 'kept' })).toBe('kept.');
});
