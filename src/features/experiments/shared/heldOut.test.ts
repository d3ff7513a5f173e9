import { expect, it } from 'vitest';
import { toHeldOutId, toHeldOutLabel, toParameterLabel } from './heldOut.ts';

it.each(['exact_match', 'f1.macro', String.raw`a\b[0]`, ''])(
  'a measure is called the same by its name and by its parameter: %j',
  (measure) => {
    expect(toParameterLabel(toHeldOutId(measure))).toBe(toHeldOutLabel(measure));
  },
);

it('a field that only its service knows keeps its name, without the escapes of a path', () => {
  const names = ['last_loss', 'held_out_rows', 'held_out', String.raw`held_out\.x`, String.raw`optimizer.beta\.1`];
  expect(names.map((name) => toParameterLabel(name))).toEqual([
    'Training loss',
    'Validation rows',
    'held_out',
    'held_out.x',
    'optimizer.beta.1',
  ]);
});

it('says validation once', () =>
  expect(['exact_match', 'validation_loss', 'eval_loss', 'eval_bleu', 'pass_rate'].map(toHeldOutLabel)).toEqual([
    'Exact match',
    'Validation loss',
    'Evaluation loss',
    'eval_bleu',
    'Validation pass_rate',
  ]));
