import { expect, it } from 'vitest';
import { toRowChanges } from './rowChanges.ts';
import type { JudgedAnswer } from './verdict.ts';

const toAnswers = (model: string, rows: Readonly<Record<string, readonly (number | null)[]>>): JudgedAnswer[] =>
  Object.entries(rows).flatMap(([row, values]) => values.map((score) => ({ row, model, values: { score } })));

const ANSWERS = [
  ...toAnswers('old', { a: [1, 1], b: [0], c: [1], d: [0, 1], e: [1], f: [null] }),
  ...toAnswers('new', { a: [1, 0], b: [1], c: [0], d: [1, 1], e: [1], f: [1], g: [1] }),
];
const OPTIONS = { answers: ANSWERS, measure: 'score', baseline: 'old', model: 'new' };

it('lists regressions before improvements, the largest first', () =>
  expect(toRowChanges({ ...OPTIONS, better: 'high' })).toEqual({
    changes: [
      { row: 'c', kind: 'regression', before: 1, after: 0 },
      { row: 'a', kind: 'regression', before: 1, after: 0.5 },
      { row: 'b', kind: 'improvement', before: 0, after: 1 },
      { row: 'd', kind: 'improvement', before: 0.5, after: 1 },
    ],
    unchanged: 1,
    unpaired: 2,
  }));

it('turns them around where less is better', () =>
  expect(toRowChanges({ ...OPTIONS, better: 'low' }).changes.map(({ row }) => row)).toEqual(['b', 'd', 'c', 'a']));
