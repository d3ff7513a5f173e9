import { expect, it } from 'vitest';
import type { TokenView } from './tokenView.ts';
import { NO_TRAINED_ROWS, reduceTrained, toNothingTrained, type TrainedRows } from './trainedRows.ts';
import type { ModelView, ViewProblem } from './whatModelSees.ts';

const good: ModelView = { parts: [], dropped: [], problem: null };
const bad = (kind: ViewProblem['kind'], message = 'It says no.'): ModelView => ({
  ...good,
  problem: { kind, message },
});
const tokens = (trained: number, trainedCut: number): TokenView => ({
  tokens: 9,
  trained,
  cut: 5,
  trainedCut,
  spans: [],
  ends: [],
});
const sumOf = (...rows: readonly (readonly [ModelView, TokenView | null])[]): TrainedRows =>
  rows.reduce((sum, [view, counts]) => reduceTrained(sum, view, counts), NO_TRAINED_ROWS);

it('counts what is trained, partly trained and why not', () => {
  const sum = sumOf(
    [good, tokens(4, 3)],
    [{ ...good, dropped: [1] }, null],
    [good, tokens(4, 4)],
    [bad('refused'), null],
  );
  expect(sum).toEqual({
    rows: 4,
    trained: 2,
    partly: 1,
    reasons: { refused: 1, 'no-answer': 0, dropped: 0, masked: 0, comparison: 0, cut: 1 },
    refusal: 'It says no.',
  });
  expect(toNothingTrained(sum)).toBeNull();
});

it.each([
  ['there are no training rows', sumOf()],
  [
    'In all 1 rows the chat template refuses the messages. Correct the order of roles, or take another base model. It says no.',
    sumOf([bad('refused'), null]),
  ],
  [
    'In 2 of 3 rows the answers begin beyond the context.',
    sumOf([good, tokens(2, 2)], [bad('no-answer'), null], [good, tokens(1, 1)]),
  ],
  ['In all 1 rows there is no assistant message.', sumOf([bad('no-answer'), null])],
  ['the chat template leaves the answers out', sumOf([bad('dropped'), null])],
])('says %s', (words, sum) => {
  expect(toNothingTrained(sum)).toContain('Nothing would be trained');
  expect(toNothingTrained(sum)).toContain(words);
});
