import { expect, it } from 'vitest';
import { findLengths, toBars, toCutTexts, toLengthsText, toMessagesText, toTopText, toWorkText } from './lengthBars.ts';

it('bars are shares of the highest, without empty ends', () => {
  const bins = [0, 3, 0, 300, 0].map((count, at) => ({ from: 2 ** at, to: 2 ** (at + 1), count }));
  expect(toBars(bins, 'character')).toEqual([
    { from: 2, isRest: false, share: 0.02, label: '2 to 3 characters: 3 rows' },
    { from: 4, isRest: false, share: 0, label: '4 to 7 characters: 0 rows' },
    { from: 8, isRest: false, share: 1, label: '8 to 15 characters: 300 rows' },
  ]);
  expect(toBars([], 'token')).toEqual([]);
  expect(toBars([{ from: 1, to: 2, count: 1 }], 'token')[0]?.label).toBe('1 to 1 tokens: 1 row');
});

const TOKENS = {
  model: 'support-base',
  context: 512,
  rows: 900,
  min: 1,
  median: 2,
  max: 600,
  total: 9000,
  bins: [],
  trained: 500,
  cut_rows: 0,
  cut_tokens: 0,
  untrained_rows: 0,
  compared_rows: 0,
  error: null,
};

it('a last range that is much wider holds the rest', () => {
  const bins = [
    { from: 80, to: 88, count: 5 },
    { from: 88, to: 97, count: 5 },
    { from: 97, to: 20_001, count: 1 },
  ];
  expect(toBars(bins, 'token').map(({ isRest }) => isRest)).toEqual([false, false, true]);
  expect(toBars(bins.slice(0, 2), 'token').map(({ isRest }) => isRest)).toEqual([false, false]);
});

it('of rows of which only some were counted, all tokens are an estimate', () => {
  const lengths = { min: 88, median: 96, max: 110, total: 9_720_489, bins: [] };
  const counted = { unit: 'token', tokens: { ...TOKENS, rows: 100_352 }, lengths } as const;
  expect(toLengthsText(counted, 200_000)).toBe('median 96 · from 88 to 110 · about 19,400,000 in all');
  expect(toLengthsText(counted, 100_352)).toBe('median 96 · from 88 to 110 · 9,720,489 in all');
  expect(toLengthsText({ ...counted, unit: 'character', tokens: null }, 7)).toMatch(/ 9,720,489 in all$/);
});

it('says how many messages rows have', () => {
  const counts = [
    { name: '3', count: 2985 },
    { name: '1', count: 1 },
  ];
  expect(toMessagesText(counts)).toBe('3 messages: 2,985 rows · 1 message: 1 row');
});

it('says what a context cuts, where nothing is trained, and how many rows were counted', () => {
  expect(toCutTexts(TOKENS, 900)).toEqual(['The context of 512 cuts nothing.']);
  expect(toCutTexts({ ...TOKENS, context: null }, 900)).toEqual([]);
  expect(toCutTexts({ ...TOKENS, cut_rows: 1, cut_tokens: 1200, untrained_rows: 2 }, 1_000_000)).toEqual([
    'Tokens of 900 of 1,000,000 rows were counted. Of these:',
    'The context of 512 cuts 1,200 tokens of 1 row.',
    'Of 2 rows nothing would be trained by support-base: it leaves them out.',
  ]);
});

it('says how far the work is, and whether it is done again', () => {
  expect(toWorkText({ state: 'running', is_old: false, progress: 0.359 }, 'counting')).toBe('counting, 35 %');
  expect(toWorkText({ state: 'running', is_old: true, progress: 0 }, 'checking')).toBe('checking again, 0 %');
  expect(toWorkText({ state: 'done', is_old: false, progress: 1 }, 'checking')).toBeNull();
});

it('a list of counts names the first ones', () => {
  expect(toTopText([{ name: 'user', count: 1200 }])).toBe('user 1,200');
  const many = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, count: 1 }));
  expect(toTopText(many)).toBe('t0 1 · t1 1 · t2 1 · t3 1 · t4 1 · t5 1 · t6 1 · t7 1 · and 2 more');
});

it.each([
  ['nothing was counted yet', { rows: 0, tokens: { ...TOKENS, rows: 0 } }, 'token', null],
  ['characters were counted, tokens not yet', { rows: 9, tokens: { ...TOKENS, rows: 0 } }, 'token', null],
  ['tokens were counted', { rows: 9, tokens: TOKENS }, 'token', 600],
  ['tokens can not be counted', { rows: 9, tokens: { ...TOKENS, error: 'No.' } }, 'character', 7],
  ['no base model was named, and no row is counted', { rows: 0, tokens: null }, 'character', null],
])('lengths while %s', (_, { rows, tokens }, unit, max) => {
  const characters = { min: 1, median: 2, max: 7, total: 20, bins: [] };
  const counts = { messages: [], roles: [], tools: [], languages: [], tags: [], set_aside_count: 0, edited_count: 0 };
  const found = findLengths({
    state: 'running',
    progress: 0,
    error: null,
    is_old: false,
    rows,
    characters,
    tokens,
    ...counts,
  });
  expect([found.unit, found.lengths?.max ?? null]).toEqual([unit, max]);
});
