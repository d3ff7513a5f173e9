import { describe, expect, it } from 'vitest';
import { canFilter, toMissingWord, toSortKey } from './column.ts';
import { toColumns } from './columns.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toTestRow } from './rows.fixture.ts';

const column = (id: string, rows: readonly ExperimentRow[] = []) => toColumns(rows).find((entry) => entry.id === id)!;

/** As the table sorts: by key, missing last. */
const sorted = (id: string, rows: readonly ExperimentRow[]): string[] => {
  const key = (row: ExperimentRow) => toSortKey(column(id, rows), row);
  const given = rows.filter((row) => key(row) !== undefined);
  return given.toSorted((a, b) => (key(a)! < key(b)! ? -1 : 1)).map((row) => row.id);
};

describe('toSortKey', () => {
  it('sorts numbers as numbers, names naturally, statuses by their life', () => {
    expect(
      sorted('batch_size', [
        toTestRow('a', { batch_size: 16 }),
        toTestRow('b', { batch_size: 8 }),
        toTestRow('c', { batch_size: 128 }),
      ]),
    ).toEqual(['b', 'a', 'c']);
    expect(sorted('label', [toTestRow('Run 10'), toTestRow('Run 9')])).toEqual(['Run 9', 'Run 10']);
    const statuses = ['failed', 'odd', 'queued', 'succeeded', 'running'].map((status) => toTestRow(status, { status }));
    expect(sorted('status', statuses)).toEqual(['queued', 'running', 'succeeded', 'failed', 'odd']);
  });

  it('is undefined for a missing value', () => {
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: null }))).toBeUndefined();
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: Number.NaN }))).toBeUndefined();
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: 0 }))).toBe(0);
  });
});

it('says why a value is missing', () => {
  expect(toMissingWord(column('n_epochs'), toTestRow('a'))).toBeNull();
  const noModel = (status: string | null) => toMissingWord(column('model_id'), toTestRow('a', { status }));
  expect(['pending', 'running', 'deploying'].map(noModel)).toEqual(['none yet', 'none yet', 'none yet']);
  // These never will have one.
  expect(['failed', 'deleted'].map(noModel)).toEqual(['none', 'none']);
  expect(['succeeded', 'paused-by-operator', null].map(noModel)).toEqual([null, null, null]);
  expect(toMissingWord(column('failure'), toTestRow('a'))).toBe('none');
  expect(toMissingWord(column('failure'), toTestRow('a', { status: 'failed' }))).toBeNull();
});

it('tells a value that was not given from one that was not read', () => {
  const word = (id: string, status: string) => toMissingWord(column(id), toTestRow('a', { status, isUnread: true }));
  for (const id of [
    'n_epochs',
    'batch_size',
    'learning_rate_multiplier',
    'training_type',
    'base_model_id',
    'last_loss',
  ])
    expect(word(id, 'succeeded')).toBe('not loaded');
  expect([word('failure', 'failed'), word('failure', 'succeeded')]).toEqual(['not loaded', 'none']);
  // The job may name the model too, but never the dataset.
  expect([word('model_id', 'succeeded'), word('model_id', 'failed'), word('dataset', 'succeeded')]).toEqual([
    'not loaded',
    'none',
    null,
  ]);
});

it('filters numbers and short lists of words', () => {
  expect(['status', 'job', 'batch_size', 'seconds'].every((id) => canFilter(column(id)))).toBe(true);
  expect(['label', 'id', 'model_id', 'failure'].some((id) => canFilter(column(id)))).toBe(false);
});
