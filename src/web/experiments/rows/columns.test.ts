import { describe, expect, it } from 'vitest';
import { toExtraParameters } from '#shared/training/extraParameters.ts';
import { HELD_OUT } from '#shared/training/heldOut.ts';
import { toColumns, toMissingWord, toSortKey } from './columns.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toTestRow } from './rows.fixture.ts';

const column = (id: string, rows: readonly ExperimentRow[] = []) => toColumns(rows).find((entry) => entry.id === id)!;

/** As the table sorts: by key, missing last. */
const sorted = (id: string, rows: readonly ExperimentRow[]): string[] => {
  const key = (row: ExperimentRow) => toSortKey(column(id, rows), row);
  const given = rows.filter((row) => key(row) !== undefined);
  return given.toSorted((a, b) => (key(a)! < key(b)! ? -1 : 1)).map((row) => row.id);
};

describe('toColumns', () => {
  it('has one column for each held-out measure, under the name that the compare uses', () => {
    const rows = [
      toTestRow('a', { held_out: { exact: 0.5, 'f1.macro': 1 } }),
      toTestRow('b', { held_out: { loss: 2 } }),
    ];
    const found = toColumns(rows).filter(({ id }) => id.startsWith(HELD_OUT));
    expect(found.map(({ id }) => id)).toEqual(['held_out.exact', String.raw`held_out.f1\.macro`, 'held_out.loss']);
    expect(found.map((entry) => entry.read(rows[0]!))).toEqual([0.5, 1, null]);
  });

  it('takes no inherited name for a measure', () => {
    const rows = [
      toTestRow('a', { held_out: JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, number> }),
    ];
    const found = toColumns(rows).filter(({ id }) => id.startsWith(HELD_OUT));
    expect(found.map((entry) => entry.read(rows[0]!))).toEqual([1, 2]);
    expect(found.map((entry) => entry.read(toTestRow('b')))).toEqual([null, null]);
  });

  it('puts what came of a run right after its status, and has the number of held-out rows', () => {
    const rows = [toTestRow('a', { held_out: { exact: 0.5 }, held_out_rows: 200 })];
    expect(
      toColumns(rows)
        .slice(2, 6)
        .map(({ id }) => id),
    ).toEqual(['status', 'last_loss', 'held_out.exact', 'training_type']);
    expect(column('held_out_rows', rows).read(rows[0]!)).toBe(200);
  });

  it('has one column for each further field of the jobs, of the kind that fits all its values', () => {
    const extras = (fields: Record<string, unknown>) =>
      new Map(toExtraParameters(fields).map((entry) => [entry.name, entry]));
    const rows = [
      toTestRow('a', {
        extras: extras({
          eval_loss: 0.25,
          cost: 12,
          weight_decay: 0.1,
          kept: true,
          note: 'x'.repeat(90),
          label: 'mine',
          nothing: null,
          mixed: 1,
          optimizer: { name: 'adam' },
        }),
      }),
      toTestRow('b', { extras: extras({ eval_loss: 2, cost: 7, mixed: 'one' }) }),
    ];
    const found = toColumns(rows).filter(({ isExtra }) => isExtra === true);
    expect(found.map(({ id, label, kind }) => [id, label, kind])).toEqual([
      ['eval_loss', 'eval_loss', 'measure'],
      ['cost', 'cost', 'count'],
      ['weight_decay', 'weight_decay', 'rate'],
      ['kept', 'kept', 'category'],
      ['note', 'note', 'text'],
      ['+label', 'label', 'category'],
      ['mixed', 'mixed', 'category'],
      ['optimizer.name', 'optimizer.name', 'category'],
    ]);
    expect(rows.map((row) => found.map((entry) => entry.read(row)))).toEqual([
      [0.25, 12, 0.1, 'true', 'x'.repeat(90), 'mine', '1', 'adam'],
      [2, 7, null, null, null, null, 'one', null],
    ]);
    expect(found.every(({ isFromJob }) => isFromJob)).toBe(true);
  });

  it('gives no two columns one id', () => {
    const ids = toColumns([toTestRow('a', { held_out: { steps: 1 } })]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

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

  it('is undefined for what is missing', () => {
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: null }))).toBeUndefined();
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: Number.NaN }))).toBeUndefined();
    expect(toSortKey(column('last_loss'), toTestRow('a', { last_loss: 0 }))).toBe(0);
  });
});

it('says what is missing', () => {
  expect(toMissingWord(column('n_epochs'), toTestRow('a'))).toBe('not given');
  const noModel = (status: string | null) => toMissingWord(column('model_id'), toTestRow('a', { status }));
  expect(['pending', 'running', 'deploying'].map(noModel)).toEqual(['none yet', 'none yet', 'none yet']);
  // These never will have one.
  expect(['failed', 'deleted'].map(noModel)).toEqual(['none', 'none']);
  expect(['succeeded', 'paused-by-operator', null].map(noModel)).toEqual(['not given', 'not given', 'not given']);
  expect(toMissingWord(column('failure'), toTestRow('a'))).toBe('none');
  expect(toMissingWord(column('failure'), toTestRow('a', { status: 'failed' }))).toBe('not given');
});

it('calls nothing “not given” that was not read', () => {
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
  // The job may name the model too. Of the dataset it has nothing to add.
  expect([word('model_id', 'succeeded'), word('model_id', 'failed'), word('dataset', 'succeeded')]).toEqual([
    'not loaded',
    'none',
    'not given',
  ]);
});
