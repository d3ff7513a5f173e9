import { expect, it } from 'vitest';
import { toNodeScore } from './nodeScore.ts';

it('says in short and with its interval what a run reaches, and nothing of what is no score', () => {
  const score = { evaluation: 'Words', passed: 41, total: 50, rate: 0.82, low: 0.692, high: 0.902 };
  expect(toNodeScore({ metadata: { score } })).toEqual({
    short: '82 %',
    long: '82 % (69.2–90.2) of 50 answers passed in Words',
  });
  expect(toNodeScore({ metadata: { score: { ...score, low: null } } })).toBeNull();
  expect(toNodeScore({ metadata: {} })).toBeNull();
});
