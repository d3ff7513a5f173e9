import { expect, it } from 'vitest';
import { GOOD_SCORE, toBand } from '#features/traces/shared/traceLimits.ts';
import { NO_FILTER, parseFilter, SCORE_KEYS, toFilterText, toStateWords } from './traceFilter.ts';

it.each([
  [NO_FILTER, ''],
  [{ ...NO_FILTER, band: 'weak' as const, model: 'org/a&b,c' }, 'band=weak&model=org%2Fa%26b%2Cc'],
  [{ ...NO_FILTER, search: 'ü ?', sort: 'score-asc' as const }, 'search=%C3%BC+%3F&sort=score-asc'],
])('the filter %j is the text %j of an address, and back', (filter, text) => {
  expect(toFilterText(filter)).toBe(text);
  expect(parseFilter(text)).toEqual(filter);
});

it.each([null, '', 'band=other&sort=name', '%'])('the text %j filters nothing', (text) =>
  expect(parseFilter(text)).toEqual(NO_FILTER),
);

it('keys from 4 on make a trace good, those below weak', () => {
  expect(SCORE_KEYS.map(({ score }) => toBand(score))).toEqual(['weak', 'weak', 'weak', 'good', 'good']);
  expect(SCORE_KEYS[3].score).toBe(GOOD_SCORE);
});

it.each([
  [{ addedToDataset: true }, 'in a dataset'],
  [{ processingStatus: 'processing' }, 'being corrected'],
  [{ processingStatus: 'failed', reason: 'Away.' }, 'not added'],
  [{ reason: 'No score.' }, 'not added'],
  [{}, ''],
])('of %j it says %j', (fields, words) => {
  const trace = { addedToDataset: false, processingStatus: 'none', reason: null, ...fields };
  expect(toStateWords(trace as Parameters<typeof toStateWords>[0])).toBe(words);
});
