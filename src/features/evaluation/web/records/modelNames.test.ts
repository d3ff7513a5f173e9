import { expect, it } from 'vitest';
import { takeCheckpoints, toDefaultBaseline } from './modelNames.ts';

it('takes checkpoints from the first to the last, and says how many where some are left out', () => {
  const run = { id: 'r', label: 'Experiment 1', models: Array.from({ length: 30 }, (_, at) => `r@${at}`) };
  const { models, note } = takeCheckpoints(run, 15);
  expect(models).toEqual(['r@0', 'r@7', 'r@15', 'r@22', 'r@29']);
  expect(note).toBe(
    '5 of the 30 checkpoints of Experiment 1 were taken, evenly spread: an evaluation has at most 20 models.',
  );
  expect(takeCheckpoints(run, 19).models).toEqual(['r@29']);
  expect(takeCheckpoints({ ...run, models: ['a', 'b'] }, 18)).toEqual({ models: ['a', 'b'], note: '' });
});

it('compares by default with what another of the models was trained from, else with the first', () => {
  const options = [{ value: 'tuned', label: 'Experiment 1', group: '', hint: '', base: 'base' }];
  expect(toDefaultBaseline(options, ['tuned', 'other', 'base'])).toBe('base');
  expect(toDefaultBaseline(options, ['other', 'base'])).toBe('other');
  expect(toDefaultBaseline(options, [])).toBeUndefined();
});
