import { expect, it } from 'vitest';
import { toCheckContent } from './checkContent.ts';
import type { EvaluationCheck } from './contract/evaluationChecks.ts';

it.each<[EvaluationCheck, EvaluationCheck, boolean]>([
  [{ id: 'a', kind: 'exact' }, { id: 'a', name: 'Same', counts: false, kind: 'exact', expected: null }, true],
  [
    { id: 'a', kind: 'judge', model: 'm', rubric: 'Good.' },
    { kind: 'judge', id: 'b', rubric: 'Good.', model: 'm', name: 'Mine', mode: 'answers' },
    true,
  ],
  [
    { id: 'a', kind: 'judge', model: 'm', rubric: 'Good.' },
    { id: 'a', kind: 'judge', model: 'm', rubric: 'Bad.' },
    false,
  ],
  [{ id: 'a', kind: 'http', evaluator: 'e' }, { id: 'a', kind: 'http', evaluator: 'e', threshold: 0.9 }, false],
])('%j and %j judge the same: %s', (one, other, isSame) => {
  expect(toCheckContent(one) === toCheckContent(other)).toBe(isSame);
});
