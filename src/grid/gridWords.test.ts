import { expect, it } from 'vitest';
import { toPassRate } from '../evaluation/passRate';
import { toEarlierText, toProgressText, toQuestion, toRateText, toResultText, toRowsText } from './gridWords';

it('says a pass rate with its interval', () => {
  expect(toRateText(toPassRate(41, 50))).toBe('82 % (69–90), 41 of 50');
  expect(toRateText(toPassRate(0, 0))).toBeNull();
});

it('says that there is nothing to check only where answers are there', () => {
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 3 })).toBe('nothing to check');
  expect(toResultText({ rate: toPassRate(0, 0), unchecked: 0 })).toBeNull();
  expect(toResultText({ rate: toPassRate(41, 50), unchecked: 3 })).toBe('82 % (69–90), 41 of 50');
});

it.each([
  [{ settled: 1234, total: 20_000, share: 0.06, leftMs: 180_000 }, 4, '1,234 of 20,000 · about 3 min left · 4 failed'],
  [{ settled: 5, total: 9, share: 0.5, leftMs: 300 }, 0, '5 of 9 · about 1 s left'],
  [{ settled: 9, total: 9, share: 1, leftMs: 0 }, 0, '9 of 9'],
  [{ settled: 0, total: 9, share: 0, leftMs: null }, 0, '0 of 9'],
])('says how far it is: %j', (progress, failed, text) => expect(toProgressText(progress, failed)).toBe(text));

it('says what became of answers to an earlier prompt, without the whole of a long one', () => {
  expect(toEarlierText('{{q}}', 1)).toBe('The prompt has changed: 1 answer to “{{q}}” kept. Pass rates leave them out; a run asks anew and replaces them.');
  expect(toEarlierText('a'.repeat(81), 2000)).toContain(`2,000 answers to “${'a'.repeat(80)}…” kept`);
});

it('shows what a row asks', () => {
  const row = { number: 1, messages: null, variables: new Map([['q', 'x']]), expected: null };
  expect(toQuestion(row, 'Say {{q}}')).toBe('Say x');
  expect(toQuestion({ ...row, messages: [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }] }, 'Say')).toBe('u');
  expect([toRowsText(1), toRowsText(2000)]).toEqual(['1 row', '2,000 rows']);
});
