import { describe, expect, it } from 'vitest';
import type { Candidate } from './candidates';
import { PARAMETERS, toCompareTable, type Parameter } from './compareTable';

const candidate = (key: string, more: Partial<Candidate> = {}): Candidate => ({
  key,
  origin: 'experiment',
  place: 1,
  repeat: 1,
  base_model_id: 'qwen3-0.6b',
  training_type: 'lora',
  n_epochs: 3,
  batch_size: 8,
  learning_rate_multiplier: 2e-4,
  recommended: false,
  reason_for_recommendation: null,
  ...more,
});

const a = candidate('a');
const twice = candidate('twice', { learning_rate_multiplier: 4e-4, batch_size: 16 });
const same = candidate('same');
const missing = candidate('missing', { n_epochs: null });

const names = (table: { rows: readonly { name: string }[] }) => table.rows.map((row) => row.name);

it('has the parameters of SPEC 2.2 as rows under their wire names', () => {
  expect(names(toCompareTable([a, same], null, false))).toEqual([
    'training_type',
    'n_epochs',
    'batch_size',
    'learning_rate_multiplier',
  ]);
});

it('measures each cell against the baseline', () => {
  const table = toCompareTable([a, twice], 'a', false);
  const rows = Object.fromEntries(table.rows.map((row) => [row.name, row.cells.map((cell) => [cell.value, cell.delta, cell.isSame])]));
  expect(rows).toEqual({
    training_type: [['lora', null, true], ['lora', null, true]],
    n_epochs: [[3, null, true], [3, null, true]],
    batch_size: [[8, null, true], [16, '+8', false]],
    learning_rate_multiplier: [[2e-4, null, true], [4e-4, '×2', false]],
  });
});

it('turns every delta round when the baseline changes', () => {
  const rate = toCompareTable([a, twice], 'twice', false).rows.find((row) => row.name === 'learning_rate_multiplier');
  expect(rate?.cells.map((cell) => cell.delta)).toEqual(['×0.5', null]);
});

describe('only differences', () => {
  it('really leaves equal rows out and counts them', () => {
    const table = toCompareTable([a, twice], null, true);
    expect(names(table)).toEqual(['batch_size', 'learning_rate_multiplier']);
    expect(table.hiddenCount).toBe(2);
  });

  it('is computed over what is shown: a difference leaves with its column', () => {
    expect(names(toCompareTable([a, same, missing], null, true))).toEqual(['n_epochs']);
    expect(names(toCompareTable([a, same], null, true))).toEqual([]);
  });

  it('finds the difference whichever column is the baseline', () => {
    for (const key of ['a', 'same', 'twice']) {
      expect(names(toCompareTable([a, same, twice], key, true))).toEqual(['batch_size', 'learning_rate_multiplier']);
    }
  });

  it('takes a missing value for a difference, also where the baseline lacks it', () => {
    for (const key of ['a', 'missing']) {
      const [row] = toCompareTable([a, missing], key, true).rows;
      expect(row?.name).toBe('n_epochs');
      expect(row?.cells.map((cell) => cell.delta)).toEqual([null, null]);
    }
  });

  it('does not take two missing values for a difference', () => {
    expect(toCompareTable([missing, { ...missing, key: 'other' }], null, true).rows).toEqual([]);
  });

  it('tells 1e-6 from 2e-6, and 1 from "1"', () => {
    const small = [1e-6, 2e-6].map((rate) => candidate(String(rate), { learning_rate_multiplier: rate }));
    expect(names(toCompareTable(small, null, true))).toEqual(['learning_rate_multiplier']);
    const byKey: Parameter = { name: 'typed', kind: 'text', read: (entry) => (entry.key === 'a' ? 1 : '1') };
    expect(names(toCompareTable([a, same], null, true, [byKey]))).toEqual(['typed']);
  });
});

describe('baseline', () => {
  it('is the first column when none is chosen or the chosen one has left', () => {
    expect(toCompareTable([twice, a], null, false).baseline?.key).toBe('twice');
    expect(toCompareTable([twice, a], 'gone', false).baseline?.key).toBe('twice');
  });

  it('is null without columns, and nothing is shown', () => {
    expect(toCompareTable([], 'a', true)).toEqual({ columns: [], baseline: null, rows: [], hiddenCount: 0 });
  });
});

it('is built for 40 columns in the order in which they were chosen', () => {
  const columns = Array.from({ length: 40 }, (_, index) => candidate(`k${index}`, { n_epochs: index }));
  const table = toCompareTable(columns, 'k39', true);
  expect(table.rows[0]?.cells.map((cell) => cell.value)).toEqual(columns.map((entry) => entry.n_epochs));
  expect(table.rows[0]?.cells[0]?.delta).toBe('−39');
  expect(PARAMETERS).toHaveLength(4);
});
