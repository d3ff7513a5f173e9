import { describe, expect, it } from 'vitest';
import { parseBrush, brushAxis, toBrushList } from '#ui/plots/scales/brush.ts';
import { toColumns } from './columns.ts';
import { filterByBrush, filterByText, toEmptyWords, toExtent, toFacet } from './rowFilter.ts';
import { toTestRow } from './rows.fixture.ts';

const rows = [
  toTestRow('a', { label: 'Experiment 1', dataset: 'Ticket triage', status: 'succeeded', batch_size: 8 }),
  toTestRow('b', {
    label: 'Experiment 2',
    dataset: 'Ticket triage',
    status: 'failed',
    batch_size: 16,
    training_type: null,
  }),
  toTestRow('c', {
    label: 'Experiment 10',
    dataset: 'Order tools',
    status: 'succeeded',
    batch_size: null,
    model_id: 'ft-base-1234',
  }),
];
const columns = toColumns(rows);
const column = (id: string) => columns.find((entry) => entry.id === id)!;
const ids = (found: readonly { readonly id: string }[]): string => found.map(({ id }) => id).join('');

describe('filterByText', () => {
  it.each([
    ['', 'abc'],
    ['  ', 'abc'],
    ['experiment 1', 'ac'],
    ['TRIAGE', 'ab'],
    ['1 triage', 'a'],
    ['ft-base', 'c'],
    ['FAILED', 'b'],
    ['lora triage', 'a'],
    ['nowhere', ''],
    // Letters in names of jobs, snapshots and datasets are searched from the first character, as labels are.
    ['ti', 'ab'],
    ['lo or', 'ac'],
  ])('%j finds %j', (text, found) => {
    expect(ids(filterByText(rows, text))).toBe(found);
  });
});

describe('short words', () => {
  const uuid = (n: number): string => `2f3c1e2${n}-3a2b-4c3d-82e3-9b2a3c4d5e6f`;
  const runs = [1, 2, 3].map((n) =>
    toTestRow(uuid(n), {
      label: `Experiment ${n}`,
      job: 'Job 7',
      dataset: n === 3 ? 'Dataset 2' : 'Dataset 10',
      model_id: `ft-${uuid(n)}`,
      base_model_id: 'support-base-0.9m',
      training_type: n === 1 ? 'full' : 'lora',
    }),
  );
  const labels = (text: string) =>
    filterByText(runs, text)
      .map(({ label }) => label.slice(-1))
      .join('');

  it.each([
    ['experiment 1', '1'],
    ['lora 3', '3'],
    ['full 3', ''],
    // The dataset's number is a whole word, the 2 inside ids is not.
    ['experiment 2', '23'],
    ['dataset 10', '12'],
    ['job 7', '123'],
    // Words of three and more characters are searched in ids.
    ['2f3c1e22', '2'],
    ['9b2a3c4d5e6f experiment', '123'],
  ])('%j finds %j', (text, found) => {
    expect(labels(text)).toBe(found);
  });

  it('match anywhere in a label, also behind its line breaks, and not inside an id', () => {
    expect(filterByText([toTestRow('a', { label: 'One\nrun 2' })], '2').length).toBe(1);
    expect(filterByText([toTestRow('a2b', { label: 'One\nrun' })], '2').length).toBe(0);
  });
});

it('says which filter leaves no row', () => {
  const brush = parseBrush(['batch_size:90..', 'status=running', 'nonsense=x']);
  expect(toEmptyWords(3, 3, brush, columns)).toMatch(
    /^All 3 runs here are outside the selection on \S+ and \S+ \(in the plot/,
  );
  expect(toEmptyWords(3, 3, brush, columns)).not.toMatch(/every word|nonsense/);
  expect(toEmptyWords(3, 1, brush, columns)).toMatch(/^1 run matches the text but is outside the selection on /);
  expect(toEmptyWords(3, 0, brush, columns)).toMatch(/Every word must match/);
  expect(toEmptyWords(1, 0, new Map(), columns)).toMatch(/^The one run here is filtered out/);
});

describe('filterByBrush', () => {
  it.each([
    [['batch_size:8..8'], 'a'],
    [['batch_size:..20'], 'ab'],
    [['batch_size='], 'c'],
    [['status=succeeded', 'dataset=Ticket triage'], 'a'],
    [['training_type='], 'b'],
    [['training_type=LoRA'], 'ac'],
    [['nonsense:1..2'], 'abc'],
  ])('%j leaves %j', (list, found) => {
    expect(ids(filterByBrush(rows, parseBrush(list), columns))).toBe(found);
  });
});

describe('tags', () => {
  const tagged = [toTestRow('a', { tags: ['best', 'v2'] }), toTestRow('b', { tags: ['v2'] }), toTestRow('c')];
  it('are filtered and offered one by one', () => {
    expect(ids(filterByBrush(tagged, parseBrush(['tags=v2']), columns))).toBe('ab');
    expect(ids(filterByBrush(tagged, parseBrush(['tags=best|']), columns))).toBe('ac');
    expect(toFacet(tagged, column('tags'), columns, new Map()).map(({ value, count }) => [value, count])).toEqual([
      ['best', 1],
      ['v2', 2],
      ['', 1],
    ]);
  });

  it('are found by the text filter', () => {
    expect(ids(filterByText(tagged, 'best'))).toBe('a');
  });
});

describe('toFacet', () => {
  it('counts the rows that match the other filters, and keeps chosen values', () => {
    const brush = parseBrush(['status=failed', 'dataset=Ticket triage|Gone']);
    expect(toFacet(rows, column('status'), columns, brush)).toEqual([
      { value: 'failed', count: 1, isChosen: true },
      { value: 'succeeded', count: 1, isChosen: false },
    ]);
    expect(toFacet(rows, column('dataset'), columns, brush)).toEqual([
      { value: 'Gone', count: 0, isChosen: true },
      { value: 'Ticket triage', count: 1, isChosen: true },
    ]);
  });

  it('finds a chosen value again however long it is', () => {
    const long = 'x'.repeat(300);
    const one = [toTestRow('a', { dataset: long })];
    const brush = parseBrush(toBrushList(brushAxis(new Map(), 'dataset', { kind: 'values', values: [long] })));
    expect(toFacet(one, column('dataset'), columns, brush)).toEqual([{ value: long, count: 1, isChosen: true }]);
    expect(filterByBrush(one, brush, columns)).toEqual(one);
  });

  it('offers “not given” last', () => {
    expect(
      toFacet(rows, column('training_type'), columns, new Map()).map(({ value, count }) => [value, count]),
    ).toEqual([
      ['LoRA', 2],
      ['', 1],
    ]);
  });
});

it('knows the ends of a column', () => {
  expect(toExtent(rows, column('batch_size'))).toEqual({ min: 8, max: 16 });
  expect(toExtent(rows, column('steps'))).toBeNull();
});
