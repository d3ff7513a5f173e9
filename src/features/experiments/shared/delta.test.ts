import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNaming, isSameValue, toDelta, toPointsText } from './delta.ts';

describe('isSameValue', () => {
  it.each([
    [1, 1, true],
    [1, '1', false],
    [true, 1, false],
    [Number.NaN, Number.NaN, true],
    [0, -0, true],
    [null, null, true],
    [null, 0, false],
    [null, '', false],
    // The trap of absolute tolerance: both are "about 0".
    [1e-6, 2e-6, false],
    [0.1 + 0.2, 0.3, false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(isSameValue(a, b)).toBe(expected);
    expect(isSameValue(b, a)).toBe(expected);
  });
});

describe('toDelta of rates: a ratio', () => {
  it.each([
    [2e-5, 4e-5, '×2'],
    [4e-5, 2e-5, '×0.5'],
    [6e-3, 1.8e-4, '×0.03'],
    [6e-3, 2e-3, '×0.333'],
    [1e-7, 1, '×1e7'],
    [1, 1e-7, '×1e-7'],
    [-1e-4, -2e-4, '×2'],
    // Never rounded to "no change".
    [1, 1.00001, '×1.00001'],
    [1, 0.99999, '×0.99999'],
  ])('%s to %s: %s', (baseline, value, expected) => {
    expect(toDelta('rate', baseline, value)).toBe(expected);
  });

  it('falls back to the difference where a ratio means nothing', () => {
    expect(toDelta('rate', 0, 2e-5)).toBe('+2e-5');
    expect(toDelta('rate', 2e-5, 0)).toBe('−2e-5');
    expect(toDelta('rate', 1e-3, -1e-3)).toBe('−0.002');
    expect(toDelta('rate', 1e-300, 1e300)).toBe('+1e300');
  });
});

describe('toDelta of counts: a difference', () => {
  it.each([
    [8, 16, '+8'],
    [3, 2, '−1'],
    [0, 3, '+3'],
    [1, 257, '+256'],
    [2.5, 1, '−1.5'],
  ])('%s to %s: %s', (baseline, value, expected) => {
    expect(toDelta('count', baseline, value)).toBe(expected);
  });

  it('keeps a whole number whole, however long, with marks between thousands', () => {
    expect(toDelta('count', 0, 123_456)).toBe('+123,456');
    expect(toDelta('count', 1112, 0)).toBe('−1,112');
    expect(toDelta('number', 0.5, 12_345)).toBe('+12,300');
  });
});

it('says nothing of equal, missing, endless or textual values', () => {
  for (const [baseline, value] of [
    [1, 1],
    [null, 1],
    [1, null],
    ['a', 'b'],
    [1, '2'],
    [Number.NaN, 1],
    [1, Infinity],
  ] as const) {
    expect(toDelta('rate', baseline, value)).toBeNull();
    expect(toDelta('count', baseline, value)).toBeNull();
  }
  expect(toDelta('text', 1, 2)).toBeNull();
});

it('for any two positive rates names a ratio that is within half a percent of the truth and never 0 or 1', () => {
  const rate = fc.double({ min: 1e-12, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(rate, rate, (baseline, value) => {
      fc.pre(baseline !== value && value / baseline !== 1);
      const ratio = Number(toDelta('rate', baseline, value)?.slice(1).replaceAll(',', ''));
      expect(ratio).not.toBe(0);
      expect(ratio).not.toBe(1);
      expect(Math.abs(ratio / (value / baseline) - 1)).toBeLessThan(0.005);
    }),
  );
});

it.each([
  ['seed', true],
  ['training_args.data_seed', true],
  ['random_state', true],
  ['model_config.bos_token_id', true],
  ['started_at', true],
  ['n_epochs', false],
  ['lora_alpha', false],
  ['width', false],
])('%s only names something: %s', (name, expected) => expect(isNaming(name)).toBe(expected));

it.each([
  [0.033, '+3.3 points'],
  [-0.01, '−1 point'],
  [0.0001, '+0.01 points'],
  [0, null],
])('the difference %s of two shares is %s', (difference, text) => expect(toPointsText(difference)).toBe(text));
