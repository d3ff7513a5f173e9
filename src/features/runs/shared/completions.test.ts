import { describe, expect, it } from 'vitest';
import { completionListSchema, completionQuestionSchema, toCompletionQuestion } from './completions.ts';

const LIST = { step: 1, file: 'a.parquet', measures: ['r'], left_out: [], total: 1, found: 1, offset: 0 };
const ROW = { row: 0, prompt: 'p', completion: 'c', is_cut: false, values: [1] };

describe('a list of completions', () => {
  it.each([
    ['a value that JSON has no word for', { ...ROW, values: ['-Infinity'] }, true],
    ['an empty cell', { ...ROW, prompt: null, values: [null] }, true],
    ['a text as a value', { ...ROW, values: ['high'] }, false],
    ['a row before the first', { ...ROW, row: -1 }, false],
    ['a field of its own', { ...ROW, score: 1 }, false],
    ['no note whether it is cut', { ...ROW, is_cut: undefined }, false],
  ])('with %s', (_what, row, isValid) => {
    expect(completionListSchema.safeParse({ ...LIST, rows: [row] }).success).toBe(isValid);
  });

  it('may be of a file without a step', () => {
    expect(completionListSchema.safeParse({ ...LIST, step: null, rows: [] }).success).toBe(true);
  });
});

describe('a question for completions', () => {
  it('asks for the first rows of the newest step, as in the file, if it says nothing', () => {
    expect(toCompletionQuestion(completionQuestionSchema.parse({}))).toEqual({
      step: null,
      search: '',
      offset: 0,
      sort: null,
    });
  });

  it('may ask for step 0, and for a text of spaces', () => {
    const asked = toCompletionQuestion(completionQuestionSchema.parse({ step: '0', search: ' ', offset: '050' }));
    expect(asked).toEqual({ step: 0, search: ' ', offset: 50, sort: null });
  });

  it.each(['', '-1', '1e3', '1.0', '9999999999', ' 1'])('takes %j for no step', (step) => {
    expect(completionQuestionSchema.safeParse({ step }).success).toBe(false);
  });
});
