import { expect, it } from 'vitest';
import { toMetricName } from './metricNames.ts';

it.each([
  ['train/loss', 'loss'],
  ['train_loss_step', 'loss'],
  ['train_loss_epoch', 'loss_epoch'],
  ['training/loss', 'loss'],
  ['train_acc', 'acc'],
  ['Loss/train', 'loss'],
  ['Accuracy/train', 'accuracy'],
  ['eval_loss', 'eval/loss'],
  ['val_loss', 'eval/loss'],
  ['val_loss_epoch', 'eval/loss'],
  ['valid/loss', 'eval/loss'],
  ['Loss/validation', 'eval/loss'],
  ['Loss/test', 'test/loss'],
  ['eval_rewards/accuracies', 'eval/rewards/accuracies'],
  ['rewards/chosen', 'rewards/chosen'],
  ['train/train_loss', 'train_loss'],
  ['train_runtime', 'train_runtime'],
  ['val_', 'val_'],
])('pairs what was trained with what was evaluated: %s is %s', (raw, name) => {
  expect(toMetricName(raw)).toBe(name);
});
