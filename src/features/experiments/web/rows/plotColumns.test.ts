import { expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { hasTwoAxes, toChipColumns, toColorColumns, toPlotColumns } from './plotColumns.ts';
import { toTestRow } from './rows.fixture.ts';

const rows = [
  toTestRow('a', { held_out: { m1: 1, m2: 2, m3: 3 }, held_out_rows: 200 }),
  toTestRow('b', { status: 'failed' }),
];
const columns = toColumns(rows);
const plotRows = rows.map((row) => ({ key: row.id, label: row.label, series: null, row }));

it('axes go from hyperparameters to results, whatever the order of the table; many measures come last', () => {
  expect(toPlotColumns(columns).map(({ id }) => id)).toEqual([
    'status',
    'training_type',
    'learning_rate_multiplier',
    'n_epochs',
    'batch_size',
    'last_loss',
    'held_out.m1',
    'held_out.m2',
    'base_model_id',
    'first_loss',
    'steps',
    'seconds',
    'held_out.m3',
  ]);
  expect(toColorColumns(columns).map(({ id }) => id)).toEqual([
    'star',
    'tags',
    'dataset',
    'training_type',
    'job',
    'snapshot',
    'base_model_id',
  ]);
});

it('a plot needs two columns in which rows differ', () => {
  const tree = toPlotColumns(columns.filter(({ source }) => source !== 'job'));
  expect(hasTwoAxes(tree, plotRows)).toBe(false);
  expect(hasTwoAxes(toPlotColumns(columns), plotRows)).toBe(true);
  expect(hasTwoAxes(toPlotColumns(columns), [])).toBe(false);
});

it('filters are named with the digits of their axes', () => {
  const measures = toChipColumns(columns).flatMap(({ id, isMeasure }) => (isMeasure ? [id] : []));
  const axes = toPlotColumns(columns).flatMap(({ id, kind }) => (kind === 'number' ? [id] : []));
  expect(axes.toSorted()).toEqual(measures.filter((id) => id !== 'held_out_rows').toSorted());
  expect(measures).toContain('seconds');
});
