import { expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { toTestRow } from './rows.fixture.ts';
import { groupRows, sortRows } from './tableRows.ts';

const rows = [
  toTestRow('a', { last_loss: 0.2, job: 'Job 10', job_id: 'j10' }),
  toTestRow('b', { last_loss: null, job: 'Job 2', job_id: 'j2' }),
  toTestRow('c', { last_loss: 0.1, job: 'Job 10', job_id: 'j10' }),
  toTestRow('d', { last_loss: 0.2, job: null, job_id: null }),
];
const columns = toColumns(rows);
const sort = (...sorts: readonly (readonly [string, boolean])[]): string =>
  sortRows(
    rows,
    columns,
    sorts.map(([id, desc]) => ({ id, desc })),
  )
    .map(({ id }) => id)
    .join('');

it('sorts by several columns, with missing values last in both directions', () => {
  expect(sort()).toBe('abcd');
  expect(sort(['last_loss', false])).toBe('cadb');
  expect(sort(['last_loss', true])).toBe('adcb');
  expect(sort(['last_loss', true], ['label', true])).toBe('dacb');
  expect(sort(['job', false], ['last_loss', false])).toBe('bcad');
});

it('groups stand in the natural order of their values, those without one last, and their rows are sorted', () => {
  const column = columns.find(({ id }) => id === 'job')!;
  const group = (isDescending: boolean): readonly string[] =>
    groupRows(
      rows,
      columns,
      [{ id: 'last_loss', desc: false }, ...(isDescending ? [{ id: 'job', desc: true }] : [])],
      column,
    ).map((each) => `${each.value}: ${each.rows.map(({ id }) => id).join('')}`);
  expect(group(false)).toEqual(['Job 2: b', 'Job 10: ca', 'null: d']);
  expect(group(true)).toEqual(['Job 10: ca', 'Job 2: b', 'null: d']);
});
