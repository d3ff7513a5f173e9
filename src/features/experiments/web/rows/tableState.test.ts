import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { toDatasetResults } from './datasetResults.ts';
import type { ExperimentRow } from './experimentRows.ts';
import {
  parseSort,
  reduceColumns,
  reducePins,
  reduceSort,
  toFileColumns,
  toFilledIds,
  toGroup,
  toPinnedIds,
  toSelectedRows,
  toShownIds,
  toChosenList,
  toSorts,
  toSortWords,
  toUsual,
  toUsualSort,
} from './tableState.ts';
import { toTestRow } from './rows.fixture.ts';

const columns = toColumns([]);
const toList = (sorts: Parameters<typeof toChosenList>[0]) => toChosenList(sorts, []);
const NONE: ReadonlySet<string> = new Set();

describe('sort', () => {
  it('is read from the address and written back the same', () => {
    expect(parseSort(['-last_loss', 'label'], columns)).toEqual([
      { id: 'last_loss', desc: true },
      { id: 'label', desc: false },
    ]);
    expect(parseSort(['nonsense', '-', 'label', '-label'], columns)).toEqual([{ id: 'label', desc: false }]);
    const sorts = fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...columns.map(({ id }) => id)), desc: fc.boolean() }),
      { selector: ({ id }) => id },
    );
    fc.assert(fc.property(sorts, (list) => void expect(parseSort(toList(list), columns)).toEqual(list)));
  });

  it('goes ascending, descending, unsorted; with Shift beside the others', () => {
    const up = reduceSort([], { id: 'label' }, false);
    expect(toList(up)).toEqual(['label']);
    expect(toList(reduceSort(up, { id: 'label' }, false))).toEqual(['-label']);
    expect(reduceSort(reduceSort(up, { id: 'label' }, false), { id: 'label' }, false)).toEqual([]);
    const both = reduceSort(up, { id: 'status' }, true);
    expect(toList(both)).toEqual(['label', 'status']);
    expect(toList(reduceSort(both, { id: 'label' }, true))).toEqual(['-label', 'status']);
    expect(toList(reduceSort(reduceSort(both, { id: 'label' }, true), { id: 'label' }, true))).toEqual(['status']);
    expect(toList(reduceSort(both, { id: 'steps' }, false))).toEqual(['steps']);
  });
});

it('where runs are sorted by default, a third press leads to tree order, and the address keeps it', () => {
  const label = { id: 'label' };
  const usual = [{ id: 'label', desc: false }];
  expect(toSorts([], columns, usual)).toEqual(usual);
  const worst = reduceSort(usual, label, false);
  expect(toSortWords({}, usual[0])).toBe('ascending; press for descending');
  expect(toSortWords({ better: 'lower' }, usual[0])).toBe('best first; press for worst first');
  expect(toSortWords({ better: 'lower' }, worst[0])).toBe('worst first; press for tree order');
  const address = toChosenList(reduceSort(worst, label, false), usual);
  expect(toSorts(address, columns, usual)).toEqual([]);
  expect(toChosenList(reduceSort([], label, false), usual)).toEqual(['label']);
});

describe('columns', () => {
  const rows = [toTestRow('a', { last_loss: 1, job: 'One' }), toTestRow('b', { job: 'Two' })];
  const all = toColumns(rows);

  it('shows by default the columns that have values and tell rows apart', () => {
    const { ids: usual, same } = toUsual(all, rows, NONE);
    expect(usual).toContain('job');
    expect(usual).toContain('last_loss');
    expect(usual).not.toContain('dataset');
    expect(usual).not.toContain('model_id');
    expect(same.map(({ column, value }) => [column.id, value])).toEqual([
      ['training_type', 'LoRA'],
      ['learning_rate_multiplier', 2e-4],
      ['n_epochs', 3],
      ['batch_size', 8],
      ['base_model_id', 'base'],
    ]);
    expect(toUsual(all, rows, new Set(['dataset'])).ids).toContain('dataset');
    expect(toUsual(columns, [], NONE).ids).toEqual(['label']);
    expect(toFilledIds(all, rows).has('failure')).toBe(false);
  });

  it('hides no column of a single row, and skips rows that wait for their job', () => {
    expect(toUsual(columns, [toTestRow('a')], NONE)).toMatchObject({ same: [] });
    const waiting = [toTestRow('a'), toTestRow('b', { n_epochs: null, isPending: true })];
    expect(toUsual(columns, waiting, NONE).same.map(({ column }) => column.id)).toContain('n_epochs');
    expect(toUsual(columns, [toTestRow('a'), toTestRow('b', { n_epochs: null })], NONE).ids).toContain('n_epochs');
  });

  it('puts results before hyperparameters, and both before places and ids', () => {
    const several = [
      toTestRow('a', { last_loss: 1, held_out: { exact: 1 }, held_out_rows: 200, model_id: 'm' }),
      toTestRow('b', {
        last_loss: 2,
        held_out: { exact: 0 },
        job: 'Two',
        training_type: 'full',
        n_epochs: 1,
        batch_size: 1,
        learning_rate_multiplier: 1,
      }),
    ];
    expect(toUsual(toColumns(several), several, NONE).ids).toEqual([
      'label',
      'status',
      'last_loss',
      'held_out.exact',
      'training_type',
      'learning_rate_multiplier',
      'n_epochs',
      'batch_size',
      'job',
      'model_id',
    ]);
  });

  it('sorts the best first at the first press on a measure', () => {
    const accuracy = { id: 'held_out.exact_match', better: 'higher' } as const;
    const down = reduceSort([], accuracy, false);
    const up = reduceSort(down, accuracy, false);
    expect([toList(down), toList(up), reduceSort(up, accuracy, false)]).toEqual([
      ['-held_out.exact_match'],
      ['held_out.exact_match'],
      [],
    ]);
    expect(toList(reduceSort([], { id: 'held_out.validation_loss', better: 'lower' }, false))).toEqual([
      'held_out.validation_loss',
    ]);
  });

  it('runs of one dataset stand best first, others in the order of the tree', () => {
    const one = [toTestRow('a', { answer_shape: 'json', held_out: { id_copied: 1, exact_match: 0.5 } })];
    expect(toUsualSort(toDatasetResults(one), toColumns(one))).toEqual([{ id: 'held_out.exact_match', desc: true }]);
    const text = [toTestRow('a', { answer_shape: 'text', held_out: { exact_match: 1, validation_loss: 0.5 } })];
    expect(toUsualSort(toDatasetResults(text), toColumns(text))).toEqual([
      { id: 'held_out.validation_loss', desc: false },
    ]);
    const two = [...one, toTestRow('b', { dataset_id: 'other', held_out: { exact_match: 1 } })];
    expect(toUsualSort(toDatasetResults(two), toColumns(two))).toEqual([]);
    const none = [toTestRow('a')];
    expect(toUsualSort(toDatasetResults(none), toColumns(none))).toEqual([]);
  });

  it('shows at most two validation measures by default', () => {
    const many = [toTestRow('a', { held_out: { m1: 1, m2: 2, m3: 3 } })];
    expect(toUsual(toColumns(many), many, NONE).ids.filter((id) => id.startsWith('held_out'))).toEqual([
      'held_out.m1',
      'held_out.m2',
    ]);
  });

  it('shows chosen columns in the order of the table, always with the name', () => {
    expect(toShownIds(['steps', 'status', 'nonsense'], all, ['label'])).toEqual(['label', 'status', 'steps']);
    expect(toShownIds(['nonsense'], all, ['label'])).toEqual(['label']);
  });

  it('gives a file every column while nobody has chosen, whatever rows are shown, else the chosen ones', () => {
    const drawn = all.filter(({ id }) => id === 'label');
    const file = toFileColumns([], all, drawn);
    const ids = file.columns.map(({ id }) => id);
    expect(file.words).toBe('all columns');
    expect(ids).toEqual(all.map(({ id }) => id));
    for (const id of ['steps', 'seconds', 'held_out_rows', 'failure', 'n_epochs', 'base_model_id'])
      expect(ids).toContain(id);
    expect(toFileColumns(['nonsense'], all, drawn).columns).toBe(all);
  });

  it('gives a file the chosen columns in the order on the screen, and always the id', () => {
    const pick = (...ids: readonly string[]) => ids.map((id) => all.find((column) => column.id === id)!);
    const file = toFileColumns(['label', 'status', 'seconds'], all, pick('label', 'seconds', 'status'));
    expect([file.words, file.columns.map(({ id }) => id)]).toEqual([
      'chosen columns and id',
      ['label', 'seconds', 'status', 'id'],
    ]);
    const withId = pick('id', 'label');
    expect(toFileColumns(['label', 'id'], all, withId)).toEqual({ words: 'chosen columns', columns: withId });
  });

  it('leaves the address empty once the usual columns are back', () => {
    const usual = toUsual(all, rows, NONE).ids;
    const more = reduceColumns(usual, 'failure', all, usual);
    expect(more).toContain('failure');
    expect(reduceColumns(more, 'failure', all, usual)).toEqual([]);
  });
});

describe('pins', () => {
  it('pins the name by default, and can pin nothing', () => {
    expect(toPinnedIds([], ['label', 'status'])).toEqual(['label']);
    expect(toPinnedIds(['status', 'steps'], ['label', 'status'])).toEqual(['status']);
    const none = reducePins(['label'], 'label');
    expect(toPinnedIds(none, ['label', 'status'])).toEqual([]);
    expect(reducePins([], 'label')).toEqual([]);
    expect(reducePins(['label'], 'status')).toEqual(['label', 'status']);
  });
});

it('groups only by columns that are offered', () => {
  for (const id of ['base_model_id', 'status', 'dataset', 'job']) expect(toGroup(id, null)).toBe(id);
  expect(toGroup('failure', null)).toBeNull();
  expect(toGroup(null, null)).toBeNull();
  expect(toGroup(null, 'seeds')).toBe('seeds');
  expect(toGroup('none', 'seeds')).toBeNull();
});

it('takes the selected rows in the table’s order, rows that a filter hides last', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => toTestRow(id)) as [
    ExperimentRow,
    ExperimentRow,
    ExperimentRow,
    ExperimentRow,
  ];
  expect(
    toSelectedRows([d, c, b], [a, b, c, d], new Set(['a', 'b', 'd', 'of another place'])).map(({ id }) => id),
  ).toEqual(['d', 'b', 'a']);
});
