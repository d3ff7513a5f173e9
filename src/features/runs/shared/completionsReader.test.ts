import { describe, expect, it } from 'vitest';
import { completionListSchema, completionQuestionSchema, toCompletionQuestion } from './completions.ts';
import { completionsPath, readCompletions } from './completionsReader.ts';

const LIST = {
  step: 10,
  file: 'run/completions/completions_00010.parquet',
  measures: ['accuracy_reward', 'advantage'],
  left_out: ['images'],
  total: 2,
  found: 2,
  offset: 0,
  rows: [
    { row: 0, prompt: '2 + 2?', completion: '4', is_cut: false, values: [1, 'NaN'] },
    { row: 1, prompt: '2 + 3?', completion: null, is_cut: true, values: [0, null] },
  ],
};

describe('readCompletions', () => {
  it('reads what the service sends', () => {
    expect(completionListSchema.safeParse(LIST).error).toBeUndefined();
    expect(readCompletions(LIST)).toEqual({ ok: true, value: LIST });
  });

  it('takes what is missing as unknown, and unusable values as none', () => {
    const read = readCompletions({ rows: [{ prompt: 3, values: ['high', 1] }, 'x'], offset: 50 });
    expect(read).toEqual({
      ok: true,
      value: {
        step: null,
        file: '',
        measures: [],
        left_out: [],
        total: 1,
        found: 1,
        offset: 50,
        rows: [{ row: 50, prompt: null, completion: null, is_cut: false, values: [null, 1] }],
      },
    });
  });

  it.each([null, 'rows', [], { rows: 'none' }])('says why %j is no answer', (body) => {
    expect(readCompletions(body)).toMatchObject({ ok: false, reason: expect.stringMatching(/^the answer/) });
  });
});

describe('the address of a question', () => {
  it('leaves out what is not asked for', () => {
    expect(completionsPath('r1', { step: null, search: '', offset: 0, sort: null })).toBe(
      '/api/v1/studio/runs/r1/completions',
    );
  });

  it.each([
    { step: 0, search: '', offset: 0, sort: null },
    { step: 120, search: 'a & b = ü', offset: 50, sort: '-reward/format' },
  ])('carries %j to the service', (question) => {
    const url = new URL(completionsPath('r1', question), 'http://x');
    const given = completionQuestionSchema.parse(Object.fromEntries(url.searchParams));
    expect(toCompletionQuestion(given)).toEqual(question);
  });

  it.each([{ step: '-1' }, { offset: '1.5' }, { search: 'x'.repeat(501) }, { page: '2' }])('refuses %j', (question) => {
    expect(completionQuestionSchema.safeParse(question).success).toBe(false);
  });
});
