import { expect, it } from 'vitest';
import { answersQuerySchema } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { ALL_ROWS, parseAnswerFilter, toAnswerFilterText, toAnswersQuery } from './answerFilter.ts';

it('reads back what it writes into the address, and takes damaged parts for absent ones', () => {
  const filter = {
    kind: 'regressed',
    model: 'a/b=c&d',
    tag: 'language',
    value: 'de & at',
    search: 'Größe',
    page: 3,
  } as const;
  expect(parseAnswerFilter(toAnswerFilterText(filter))).toEqual(filter);
  expect(toAnswerFilterText(ALL_ROWS)).toBeNull();
  expect(parseAnswerFilter(null)).toEqual(ALL_ROWS);
  expect(parseAnswerFilter('rows=nonsense&page=-1')).toEqual(ALL_ROWS);
});

it('asks for what the API takes', () => {
  const filter = { ...ALL_ROWS, kind: 'regressed', model: 'm', page: 2 } as const;
  expect(answersQuerySchema.safeParse(toAnswersQuery(filter))).toMatchObject({ success: true });
  expect(toAnswersQuery(filter)).toEqual({ offset: '50', limit: '25', model: 'm', change: 'regressed' });
  expect(toAnswersQuery({ ...ALL_ROWS, kind: 'fail', search: 'x' })).toMatchObject({ outcome: 'fail', search: 'x' });
});
