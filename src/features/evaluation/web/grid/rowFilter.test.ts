import { expect, it } from 'vitest';
import { findFilter, toColumnFilters, toFilterKey, toFilterLabel } from './rowFilter.ts';

const COLUMNS = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const NAMES = ['tuned', 'base', 'other'];

it('each column has a filter, and each other column stands beside the reference column', () => {
  expect(toColumnFilters(3, 1).map((filter) => toFilterLabel(filter, NAMES))).toEqual([
    'Not passed by 1 · tuned',
    'Not passed by 2 · base',
    'Not passed by 3 · other',
    '1 and 2 differ',
    'Passed by 2, not by 1',
    'Passed by 1, not by 2',
    '2 and 3 differ',
    'Passed by 2, not by 3',
    'Passed by 3, not by 2',
  ]);
  expect(toColumnFilters(1, 0)).toEqual([{ kind: 'not-passed-by', column: 0 }]);
});

it('a filter follows its columns; without one of them all rows are on show', () => {
  for (const filter of ['failed' as const, ...toColumnFilters(3, 1)])
    expect(findFilter(toFilterKey(filter, COLUMNS), COLUMNS)).toEqual(filter);
  const key = toFilterKey({ kind: 'not-passed-by', column: 1 }, COLUMNS);
  expect(findFilter(key, [{ id: 'b' }, { id: 'a' }])).toEqual({ kind: 'not-passed-by', column: 0 });
  expect(findFilter(key, [{ id: 'a' }])).toBe('all');
  expect(findFilter('', COLUMNS)).toBe('all');
});

it('filters of any column say so where there are several', () => {
  expect([toFilterLabel('not-passed', ['one']), toFilterLabel('not-passed', NAMES)]).toEqual([
    'Not passed',
    'Not passed by at least one',
  ]);
});
