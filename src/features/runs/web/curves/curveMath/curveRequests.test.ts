import { describe, expect, it } from 'vitest';
import { toPointLimit, toQuestions } from './curveRequests.ts';

const runs = Array.from({ length: 150 }, (_, at) => `r${at}`);

describe('toQuestions', () => {
  it('asks for no more curves than an answer holds, and for each once', () => {
    const names = ['loss', 'eval/loss', 'kl', 'reward', 'loss'];
    const questions = toQuestions(runs, names, 500, null);
    expect(questions.map((question) => question.names)).toEqual([
      ['loss', 'eval/loss'],
      ['kl', 'reward'],
    ]);
    expect(questions[0]).toEqual({ runs, names: ['loss', 'eval/loss'], points: 500 });
  });

  it('asks for the steps in view', () => {
    expect(toQuestions(['a'], ['loss'], 10, { from: 3, to: 9 })[0]).toMatchObject({ from_step: 3, to_step: 9 });
  });

  it('asks nothing for no run', () => expect(toQuestions([], ['loss'], 10, null)).toEqual([]));
});

it.each([
  [1, 10_000],
  [400, 750],
  [100_000, 300],
])('gives each of %d curves up to %d points', (curves, points) => expect(toPointLimit(curves)).toBe(points));
