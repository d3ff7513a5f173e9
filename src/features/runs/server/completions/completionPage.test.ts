import { describe, expect, it } from 'vitest';
import {
  completionListSchema,
  MAX_COMPLETION_TEXT,
  type CompletionQuestion,
} from '#features/runs/shared/completions.ts';
import { toCompletionPage } from './completionPage.ts';
import type { CompletionTable } from './parquetTable.ts';

const table = (more: Partial<CompletionTable> = {}): CompletionTable => ({
  rows: 4,
  prompts: ['Add 2 and 2', 'Add 1 and 1', 'Name a city', 'Name a river'],
  completions: ['4', 'TWO', 'Paris', null],
  measures: [
    { name: 'reward', values: [0.5, Number.NaN, 1, null] },
    { name: 'advantage', values: [0, 0, 2, -1] },
  ],
  leftOut: ['images'],
  ...more,
});
const ask = (question: Partial<CompletionQuestion> = {}, of = table()) =>
  toCompletionPage(of, { step: null, search: '', offset: 0, sort: null, ...question });
const placesOf = (question: Partial<CompletionQuestion>): readonly number[] => ask(question).rows.map(({ row }) => row);

describe('a page of completions', () => {
  it('is what the contract says', () => {
    const page = ask();
    expect(completionListSchema.safeParse({ step: 1, file: 'x', ...page }).error).toBeUndefined();
    expect(page).toMatchObject({ measures: ['reward', 'advantage'], left_out: ['images'], total: 4, found: 4 });
    expect(page.rows[1]).toEqual({
      row: 1,
      prompt: 'Add 1 and 1',
      completion: 'TWO',
      is_cut: false,
      values: ['NaN', 0],
    });
    expect(page.rows[3]).toMatchObject({ completion: null, values: [null, -1] });
  });

  it('is sorted by a column, rows without a number last', () => {
    expect(placesOf({ sort: 'reward' })).toEqual([2, 0, 1, 3]);
    expect(placesOf({ sort: '-reward' })).toEqual([0, 2, 1, 3]);
    expect(placesOf({ sort: 'advantage' })).toEqual([2, 0, 1, 3]);
    expect(placesOf({ sort: 'prompt' })).toEqual([0, 1, 2, 3]);
  });

  it('takes a column whose name begins with a minus by its name', () => {
    const of = table({ measures: [{ name: '-reward', values: [1, 2, 3, 4] }] });
    expect(ask({ sort: '-reward' }, of).rows.map(({ row }) => row)).toEqual([3, 2, 1, 0]);
  });

  it('is found in prompts and completions, in any case', () => {
    expect(placesOf({ search: ' name a ' })).toEqual([2, 3]);
    expect(placesOf({ search: 'two' })).toEqual([1]);
    expect(ask({ search: 'Berlin' })).toMatchObject({ total: 4, found: 0, rows: [] });
  });

  it('holds 50 rows from the offset', () => {
    const many = table({ rows: 120, prompts: Array.from({ length: 120 }, (_, at) => `p${at}`), completions: null });
    const page = ask({ offset: 100 }, many);
    expect(page).toMatchObject({ total: 120, found: 120, offset: 100 });
    expect(page.rows.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 20 }, (_, at) => `p${100 + at}`));
    expect(ask({}, many).rows).toHaveLength(50);
    expect(ask({ offset: 500 }, many).rows).toEqual([]);
  });

  it('cuts long texts between characters, and finds what is cut off', () => {
    const long = `${'a'.repeat(MAX_COMPLETION_TEXT - 1)}👋 the end`;
    const of = table({ completions: [long, '', '', ''] });
    const [row] = ask({ search: 'the end' }, of).rows;
    expect(row).toMatchObject({ row: 0, is_cut: true });
    expect(row?.completion).toBe('a'.repeat(MAX_COMPLETION_TEXT - 1));
  });

  it('shows messages and big numbers as JSON and numbers', () => {
    const of = table({
      prompts: [[{ role: 'user', content: 'Hi', at: 2n }], '', '', ''],
      measures: [{ name: 'length', values: [7n, true, 0, 0] }],
    });
    expect(ask({}, of).rows[0]).toMatchObject({
      prompt: '[\n  {\n    "role": "user",\n    "content": "Hi",\n    "at": "2"\n  }\n]',
      values: [7],
    });
    expect(ask({}, of).rows[1]?.values).toEqual([1]);
  });
});
