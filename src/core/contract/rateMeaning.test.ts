import { describe, expect, it } from 'vitest';
import { readRateChoice, toLearningRate, toRateMeaning } from './rateMeaning.ts';

describe('a stored choice', () => {
  it('is read as it was written', () => {
    expect(readRateChoice({ means: 'rate' })).toEqual({ means: 'rate' });
    expect(readRateChoice({ means: 'factor', base: 2e-5 })).toEqual({ means: 'factor', base: 2e-5 });
  });

  it.each([
    null,
    'rate',
    [],
    {},
    { means: 'other' },
    { means: 'factor' },
    { means: 'factor', base: '2e-5' },
    { means: 'factor', base: 0 },
    { means: 'factor', base: -1 },
    { means: 'factor', base: Infinity },
  ])('is none where it is damaged: %j', (value) => expect(readRateChoice(value)).toBeNull());
});

describe('the meaning', () => {
  it('is what the service says, before what a person says', () => {
    expect(toRateMeaning(true, { means: 'factor', base: 1 })).toEqual({ means: 'rate', saidBy: 'service' });
    expect(toRateMeaning(null, { means: 'rate' })).toEqual({ means: 'rate', saidBy: 'person' });
    expect(toRateMeaning(false, { means: 'rate' })).toEqual({ means: 'unknown' });
    expect(toRateMeaning(false, { means: 'factor', base: 2e-5 })).toEqual({ means: 'factor', base: 2e-5 });
  });

  it('is not known where nobody said it, and then there is no rate', () => {
    expect(toRateMeaning(false, null)).toEqual({ means: 'unknown' });
    expect(toLearningRate(1.5, { means: 'unknown' })).toBeNull();
  });

  it('gives the rate', () => {
    expect(toLearningRate(2e-4, { means: 'rate', saidBy: 'person' })).toBe(2e-4);
    expect(toLearningRate(3, { means: 'factor', base: 0.1 })).toBe(0.3);
    expect(toLearningRate(1.5, { means: 'factor', base: 2e-5 })).toBe(3e-5);
  });
});
