import { expect, it } from 'vitest';
import type { ValidationPoint } from '#features/training/shared/trainingRecords.ts';
import { toAnsweredSteps, toShownAnswers } from './shownAnswers.ts';

const answer = (prompt: string, text: string, is_right: boolean | null = false) => ({
  prompt,
  expected: 'yes',
  answer: text,
  is_right,
});
const at = (step: number, ...answers: ValidationPoint['answers']): ValidationPoint => ({
  step,
  loss: 1,
  exact_match: null,
  answers,
});
const VALIDATIONS = [
  at(0, answer('one', 'eh'), answer('two', 'no')),
  at(10, answer('two', 'ye')),
  at(20),
  at(30, answer('three', 'no'), answer('two', 'yes', true), answer('one', '?', null)),
];

it('only steps with answers are offered', () => {
  expect(toAnsweredSteps(VALIDATIONS)).toEqual([0, 10, 30]);
  expect(toShownAnswers(VALIDATIONS, 20)).toBeNull();
  expect(toShownAnswers(VALIDATIONS, 99)).toBeNull();
});

it('wrong answers are apart from the others, each with what was answered when it was last shown', () => {
  const shown = toShownAnswers(VALIDATIONS, 30);
  expect(shown?.wrong).toEqual([
    { place: 0, prompt: 'three', expected: 'yes', answer: 'no', isRight: false, before: null },
  ]);
  expect(shown?.right.map(({ prompt, before }) => [prompt, before])).toEqual([
    ['two', { step: 10, answer: 'ye', isRight: false }],
    ['one', { step: 0, answer: 'eh', isRight: false }],
  ]);
});

it('nothing later than the step counts as before', () => {
  expect(toShownAnswers(VALIDATIONS, 0)?.wrong.map(({ before }) => before)).toEqual([null, null]);
});
