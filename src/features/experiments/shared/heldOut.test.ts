import { expect, it } from 'vitest';
import { toHeldOutId, toHeldOutLabel, toParameterLabel } from './heldOut.ts';

it.each(['exact_match', 'f1.macro', String.raw`a\b[0]`, ''])(
  'a measure is called the same by its name and by its parameter: %j',
  (measure) => {
    expect(toParameterLabel(toHeldOutId(measure))).toBe(toHeldOutLabel(measure));
  },
);

it('everything else keeps the wire’s own name, without the escapes of a path', () => {
  expect(
    ['last_loss', 'held_out_rows', 'held_out', String.raw`held_out\.x`, String.raw`optimizer.beta\.1`].map(
      toParameterLabel,
    ),
  ).toEqual(['last_loss', 'held_out_rows', 'held_out', 'held_out.x', 'optimizer.beta.1']);
});

it('says validation once', () =>
  expect(['exact_match', 'validation_loss', 'eval_loss'].map(toHeldOutLabel)).toEqual([
    'validation exact_match',
    'validation_loss',
    'eval_loss',
  ]));
