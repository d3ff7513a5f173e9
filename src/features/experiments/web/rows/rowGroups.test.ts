import { expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { toGroupKey, toGroupNames, type RowGroup } from './rowGroups.ts';
import { toTestRow } from './rows.fixture.ts';

const column = (id: string) => toColumns([]).find((entry) => entry.id === id)!;
const group = (key: string, value: string | null, ...rows: readonly Parameters<typeof toTestRow>[1][]): RowGroup => ({
  key,
  id: `id-of-${key}`,
  value,
  rows: rows.map((rest, at) => toTestRow(`${key}${at}`, rest)),
});
const names = (...groups: readonly RowGroup[]): readonly string[] => [...toGroupNames(groups).values()];

it('keeps jobs and datasets of one name isolated, and missing values in their own group', () => {
  const [a, b] = [
    toTestRow('a', { job_id: 'j1', dataset_id: 'd1' }),
    toTestRow('b', { job_id: 'j2', dataset_id: 'd2' }),
  ];
  for (const id of ['job', 'dataset']) expect(toGroupKey(column(id), a)).not.toBe(toGroupKey(column(id), b));
  expect(toGroupKey(column('status'), a)).toBe(toGroupKey(column('status'), b));
  expect(toGroupKey(column('dataset'), toTestRow('c', { dataset_id: null, dataset: null }))).toBe('');
});

it('says what tells groups of one name apart: the dataset, else the snapshot, else the id', () => {
  expect(
    names(
      group('a', 'First round', { dataset: 'Tickets' }),
      group('b', 'First round', { dataset: 'Replies' }),
      group('c', 'Second', {}),
    ),
  ).toEqual(['First round · Tickets', 'First round · Replies', 'Second']);
  // A place that only some rows of a group have does not name the group.
  expect(
    names(
      group('a', 'First', { dataset: 'Tickets' }, { dataset: 'Replies' }),
      group('b', 'First', { dataset: 'Tickets' }),
    ),
  ).not.toContain('First · Replies');
  expect(names(group('a', 'First', { snapshot: 'May' }), group('b', 'First', { snapshot: 'June' }))).toEqual([
    'First · May',
    'First · June',
  ]);
  const ids = names(group('a', 'Tickets', {}), group('b', 'Tickets', {}));
  expect(ids).toEqual([expect.stringMatching(/^Tickets · id /), expect.stringMatching(/^Tickets · id /)]);
  expect(new Set(ids).size).toBe(2);
});

it('gives no name to a group without a value', () => {
  expect(names(group('a', null, {}), group('b', 'One', {}))).toEqual(['One']);
});
