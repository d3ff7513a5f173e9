import { expect, it } from 'vitest';
import { toCheckNames, toScorerNames } from './checkNames.ts';
import type { EvaluationCheck } from './contract/evaluationChecks.ts';

const judge = (id: string, model: string, name?: string): EvaluationCheck => ({
  id,
  kind: 'judge',
  model,
  rubric: 'Be polite.',
  ...(name !== undefined && { name }),
});

it('checks of one kind have names that tell them apart', () => {
  expect(
    toCheckNames([
      { id: 'a', kind: 'regex', expected: 'order' },
      { id: 'b', kind: 'regex', expected: 'x'.repeat(40) },
      { id: 'c', kind: 'exact' },
    ]),
  ).toEqual(['matches pattern: order', `matches pattern: ${'x'.repeat(29)}…`, 'equals']);
  expect(toCheckNames([judge('a', 'm'), judge('b', 'm'), judge('c', 'm', 'judge 2')])).toEqual([
    'judge 1',
    'judge 3',
    'judge 2',
  ]);
  const nameOf = toScorerNames([judge('a', 'm'), judge('b', 'n'), { id: 'c', kind: 'exact', name: 'Same' }]);
  expect(['a', 'b', 'c', 'people'].map(nameOf)).toEqual(['judge: m', 'judge: n', 'Same', 'People']);
});
