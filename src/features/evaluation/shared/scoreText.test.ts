import { expect, it } from 'vitest';
import { toPassRate } from './passRate.ts';
import { toScoreText } from './scoreText.ts';

it.each([
  [41, 50, 'checked answer', '82 % (69.2–90.2) of 50 checked answers'],
  [1, 1, 'validation row', '100 % (20.7–100) of 1 validation row'],
  [9999, 10_000, 'validation row', '99.99 % (99.9–99.998) of 10,000 validation rows'],
  [0, 0, 'validation row', null],
])('%d of %d is written with its interval and its rows', (passed, total, noun, text) =>
  expect(toScoreText(toPassRate(passed, total), noun)).toBe(text),
);

it('says of a rate that is another than that of the count that it is averaged by row', () =>
  expect(toScoreText({ passed: 3, total: 4, rate: 0.5, low: 0.1, high: 0.9 }, 'answer')).toBe(
    '50 % (10–90) of 4 answers, averaged by row',
  ));
