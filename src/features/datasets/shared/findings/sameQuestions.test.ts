import { describe, expect, it } from 'vitest';
import { readAnswer } from './answerForm.ts';
import { SameQuestions } from './sameQuestions.ts';

/** The answers of rows that all ask the same. */
function find(...answers: readonly string[]): Record<string, (readonly [number, number])[]> {
  const same = new SameQuestions();
  for (const content of answers) {
    const answer = { role: 'assistant' as const, content };
    same.add(0, { messages: [{ role: 'user', content: 'q' }, answer] }, readAnswer(answer));
  }
  const found: Record<string, (readonly [number, number])[]> = {};
  for (const { id, place, other } of same.toDisagreements()) (found[id] ??= []).push([place, other]);
  return found;
}

describe('SameQuestions', () => {
  it.each([
    ['the same label', ['refund', ' Refund\n']],
    ['the same JSON', ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }']],
    ['a missing answer', ['refund', '']],
  ])('accepts %s', (_, answers) => expect(find(...answers)).toEqual({}));

  it('finds all rows of a question with two answers', () =>
    expect(find('refund', 'exchange')).toEqual({
      contradiction: [
        [0, 1],
        [1, 0],
      ],
    }));

  it('finds the rows against a clear majority', () =>
    expect(find('refund', 'exchange', 'refund')).toEqual({
      contradiction: [
        [0, 1],
        [1, 0],
        [2, 1],
      ],
      outvoted: [[1, 0]],
    }));

  it('free texts in other words may all be right, and other numbers can not', () => {
    expect(find('Very well, thank you! And you?', 'Fine, thanks. How are you?')).toHaveProperty('several-answers');
    expect(find('It takes about 5 days.', 'It takes about 7 days.')).toHaveProperty('contradiction');
  });
});
