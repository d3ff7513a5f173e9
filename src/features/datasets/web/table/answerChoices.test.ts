import { expect, it } from 'vitest';
import { toAnswerChoices, toOthers } from './answerChoices.ts';

const asked = (...answers: readonly string[]) =>
  answers.map((content, at) => ({
    position: at + 10,
    chat: {
      messages: [
        { role: 'user' as const, content: 'Where?' },
        { role: 'assistant' as const, content },
      ],
    },
  }));

it('rows with the same answer are one choice, and the rows of the others are set aside', () => {
  const value = toAnswerChoices(asked('refund', 'exchange', 'Refund '));
  expect(value?.question.messages).toEqual([{ role: 'user', content: 'Where?' }]);
  expect(value?.choices.map(({ positions }) => positions)).toEqual([[10, 12], [11]]);
  expect(value?.majority?.positions).toEqual([10, 12]);
  const [first] = value?.choices ?? [];
  expect(value && first && toOthers(value, first)).toEqual([11]);
});

it('one row against one is no majority, and rows without answers are no choice', () => {
  expect(toAnswerChoices(asked('refund', 'exchange'))?.majority).toBeNull();
  expect(toAnswerChoices([])).toBeNull();
});
