import { describe, expect, it } from 'vitest';
import { compareByMeasure, isSaturated, toMainMeasure, toMeasure, toMeasureDoubt, toMeasureValue } from './measures.ts';

describe('toMainMeasure', () => {
  it('is exact match for answers that are right or wrong', () => {
    for (const shape of ['fixed-set', 'json', 'tool-calls'] as const)
      expect(toMainMeasure(['validation_loss', 'id_copied', 'exact_match'], shape)?.name).toBe('exact_match');
  });

  it('is never exact match for free text', () => {
    expect(toMainMeasure(['exact_match', 'well_formed', 'validation_loss'], 'text')?.name).toBe('validation_loss');
    expect(toMainMeasure(['exact_match', 'well_formed'], 'text')?.name).toBe('well_formed');
    expect(toMainMeasure(['exact_match', 'id_copied'], 'text')).toBe(null);
  });

  it('is what a person chose, as long as a run has it', () => {
    expect(toMainMeasure(['exact_match', 'bleu'], 'text', 'bleu')).toMatchObject({ name: 'bleu', better: 'higher' });
    expect(toMainMeasure(['exact_match'], 'json', 'bleu')?.name).toBe('exact_match');
  });

  it('takes what can decide at all where the answers are unknown', () => {
    expect(toMainMeasure(['id_copied', 'eval_loss'], null)?.name).toBe('eval_loss');
    expect(toMainMeasure(['bleu'], null)).toBe(null);
  });
});

describe('toMeasureDoubt', () => {
  it('says why exact match does not decide for free text', () => {
    expect(toMeasureDoubt(toMeasure('exact_match'), 'text')).toContain('many words');
    expect(toMeasureDoubt(toMeasure('exact_match'), 'json')).toBe(null);
    expect(toMeasureDoubt(toMeasure('exact_match'), null)).toBe(null);
    expect(toMeasureDoubt(toMeasure('id_copied'), 'text')).toContain('not whether it is right');
  });
});

describe('compareByMeasure', () => {
  it('puts the best first, whichever way is better, and what is missing last', () => {
    const sort = (name: string, values: (number | null)[]) =>
      values.toSorted((a, b) => compareByMeasure(toMeasure(name), a, b));
    expect(sort('exact_match', [0.5, null, 0.9])).toEqual([0.9, 0.5, null]);
    expect(sort('validation_loss', [0.5, null, 0.9])).toEqual([0.5, 0.9, null]);
    expect(sort('word_error', [2, 1])).toEqual([1, 2]);
    expect(sort('test_wer', [2, 1])).toEqual([1, 2]);
    expect(sort('correct_answer', [1, 2])).toEqual([2, 1]);
    expect(sort('lossless_rate', [1, 2])).toEqual([2, 1]);
  });
});

describe('isSaturated', () => {
  it('is true where a model without any mistake could not be told apart', () => {
    const measure = toMeasure('exact_match');
    expect(isSaturated(measure, 199 / 200, 200)).toBe(true);
    expect(isSaturated(measure, 190 / 200, 200)).toBe(false);
    expect(isSaturated(measure, 1, 10)).toBe(false);
    expect(isSaturated(measure, 62, 200)).toBe(false);
    expect(isSaturated(measure, 0.995, 20_000)).toBe(false);
    expect(isSaturated(measure, 1, null)).toBe(false);
    expect(isSaturated(toMeasure('validation_loss'), 1, 200)).toBe(false);
    expect(isSaturated(toMeasure('id_copied'), 1, 200)).toBe(false);
  });
});

it('shares are percentages, losses are not', () => {
  expect(toMeasureValue(toMeasure('exact_match'), 0.9946)).toBe('99.5 %');
  expect(toMeasureValue(toMeasure('validation_loss'), 0.0739)).toBe('0.0739');
});
