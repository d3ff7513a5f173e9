import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { PARAMETERS, toParameters, type Parameter } from '#features/experiments/shared/parameters.ts';
import { toCompareTable, type CompareTable } from './comparison.ts';
import { isSameValue } from '#features/experiments/shared/delta.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';

const a = toTestCandidate('a');
const twice = toTestCandidate('twice', { learning_rate_multiplier: 4e-4, batch_size: 16 });
const same = toTestCandidate('same');
const missing = toTestCandidate('missing', { n_epochs: null });
const measured = toTestCandidate('measured', {
  origin: 'run',
  extras: [
    { name: 'last_loss', kind: 'number', value: 0.25, isResult: true, isMeasured: true },
    { name: 'warmup_ratio', kind: 'number', value: 0.1 },
  ],
});

const names = (table: CompareTable) => table.rows.map((row) => row.parameter.name);
const idsOf = (parameters: readonly Parameter[]) => parameters.map(({ id }) => id);

it('has the parameters of SPEC 2.2 as rows under their wire names', () => {
  expect(names(toCompareTable([a, same], null, false))).toEqual([
    'base_model_id',
    'training_type',
    'n_epochs',
    'batch_size',
    'learning_rate_multiplier',
  ]);
});

it('has a row for whatever any candidate has beyond those, results last', () => {
  expect(idsOf(toParameters([a, measured])).slice(PARAMETERS.length)).toEqual(['warmup_ratio', 'last_loss']);
});

it('tells a foreign field from SPEC’s of the same name, and takes the kind from who gives a value', () => {
  const odd = toTestCandidate('odd', {
    extras: [
      { name: 'n_epochs', kind: 'number', value: 9 },
      { name: 'decay', kind: 'text', value: null },
    ],
  });
  const given = toTestCandidate('given', { extras: [{ name: 'decay', kind: 'rate', value: 0.1 }] });
  const parameters = toParameters([odd, given]);
  expect(idsOf(parameters).slice(PARAMETERS.length)).toEqual(['+n_epochs', 'decay']);
  expect(parameters.find(({ id }) => id === '+n_epochs')?.read(odd)).toBe(9);
  expect(parameters.find(({ id }) => id === 'n_epochs')?.read(odd)).toBe(3);
  expect(parameters.find(({ id }) => id === 'decay')?.kind).toBe('rate');
});

it('measures each cell against the baseline', () => {
  const table = toCompareTable([a, twice], 'a', false);
  const rows = Object.fromEntries(
    table.rows.map((row) => [row.parameter.name, row.cells.map((cell) => [cell.value, cell.delta, cell.isSame])]),
  );
  expect(rows).toMatchObject({
    training_type: [
      ['lora', null, true],
      ['lora', null, true],
    ],
    n_epochs: [
      [3, null, true],
      [3, null, true],
    ],
    batch_size: [
      [8, null, true],
      [16, '+8', false],
    ],
    learning_rate_multiplier: [
      [2e-4, null, true],
      [4e-4, '×2', false],
    ],
  });
});

it.each([
  [83, '+1 min 23 s'],
  [-19, '−19 s'],
  [-2.5, '−2.5 s'],
  [0, null],
])('gives a difference of %s seconds as %s', (more, delta) => {
  const timed = (key: string, value: number) =>
    toTestCandidate(key, { origin: 'run', extras: [{ name: 'seconds', kind: 'number', value, isResult: true }] });
  const { rows } = toCompareTable([timed('base', 100), timed('other', 100 + more)], 'base', false);
  expect(rows.find(({ parameter }) => parameter.id === 'seconds')?.cells[1]?.delta).toBe(delta);
});

describe('runs on different snapshots', () => {
  const trained = (key: string, snapshot_id: string | null, last_loss: number | null, n_epochs = 3) =>
    toTestCandidate(key, {
      origin: 'run',
      snapshot_id,
      n_epochs,
      extras: [
        { name: 'steps', kind: 'count', value: n_epochs * 10, isResult: true },
        { name: 'last_loss', kind: 'number', value: last_loss, isResult: true, isMeasured: true },
        { name: 'held_out.exact', kind: 'number', value: last_loss, isResult: true, isMeasured: true },
      ],
    });
  const cellOf = (name: string, one: Candidate, baseline: Candidate) => {
    const cell = toCompareTable([baseline, one], baseline.key, false).rows.find(
      ({ parameter }) => parameter.name === name,
    )?.cells[1];
    return cell && [cell.value, cell.delta, cell.isOtherData];
  };
  const base = trained('base', 's1', 0.5);

  it.each(['last_loss', 'held_out.exact'])(
    'keep their %s, without a delta, as it was measured on other rows',
    (name) => {
      expect(cellOf(name, trained('a', 's2', 0.25), base)).toEqual([0.25, null, true]);
      expect(cellOf(name, trained('a', 's2', 0.5), base)).toEqual([0.5, null, true]);
      expect(cellOf(name, trained('a', 's1', 0.25), base)).toEqual([0.25, '−0.25', false]);
    },
  );

  it('are measured as ever where a snapshot is unknown, and where there is nothing to measure against', () => {
    expect(cellOf('last_loss', trained('a', null, 0.25), base)).toEqual([0.25, '−0.25', false]);
    expect(cellOf('last_loss', trained('a', 's2', 0.25), trained('base', null, 0.5))).toEqual([0.25, '−0.25', false]);
    expect(cellOf('last_loss', trained('a', 's2', null), base)).toEqual([null, null, false]);
    expect(cellOf('last_loss', trained('a', 's2', 0.25), trained('base', 's1', null))).toEqual([0.25, null, false]);
  });

  it('are no equal rows, though the figures are', () => {
    const names = (snapshot: string): readonly string[] =>
      toCompareTable([base, trained('a', snapshot, 0.5)], 'base', true).rows.map(({ parameter }) => parameter.name);
    expect(names('s2')).toEqual(expect.arrayContaining(['last_loss', 'held_out.exact']));
    expect(names('s1')).not.toContain('last_loss');
  });

  it('keep the deltas of what was asked for, and of what it took', () => {
    expect(cellOf('n_epochs', trained('a', 's2', 0.25, 5), base)).toEqual([5, '+2', false]);
    expect(cellOf('steps', trained('a', 's2', 0.25, 5), base)).toEqual([50, '+20', false]);
  });
});

it('turns every delta round when the baseline changes', () => {
  const rate = toCompareTable([a, twice], 'twice', false).rows.find(
    (row) => row.parameter.name === 'learning_rate_multiplier',
  );
  expect(rate?.cells.map((cell) => cell.delta)).toEqual(['×0.5', null]);
});

describe('only differences', () => {
  it('really leaves equal rows out, and keeps the value that they share', () => {
    const table = toCompareTable([a, twice], null, true);
    expect(names(table)).toEqual(['batch_size', 'learning_rate_multiplier']);
    expect(table.hidden.map(({ parameter, value }) => [parameter.name, value])).toEqual([
      ['base_model_id', 'qwen3-0.6b'],
      ['training_type', 'lora'],
      ['n_epochs', 3],
    ]);
  });

  it('is computed over what is shown: a difference leaves with its column', () => {
    expect(names(toCompareTable([a, same, missing], null, true))).toEqual(['n_epochs']);
    expect(names(toCompareTable([a, same], null, true))).toEqual([]);
  });

  it('takes a missing value for a difference, also where the baseline lacks it', () => {
    for (const key of ['a', 'missing']) {
      const [row] = toCompareTable([a, missing], key, true).rows;
      expect(row?.parameter.name).toBe('n_epochs');
      expect(row?.cells.map((cell) => cell.delta)).toEqual([null, null]);
    }
    expect(toCompareTable([missing, { ...missing, key: 'other' }], null, true).rows).toEqual([]);
  });

  it('takes no result of what was never trained for a difference', () => {
    const again = { ...measured, key: 'again' };
    const table = toCompareTable([a, measured, again], 'a', true);
    expect(names(table)).not.toContain('last_loss');
    expect(table.hidden.find(({ parameter }) => parameter.name === 'last_loss')).toMatchObject({
      value: 0.25,
      isOfRuns: true,
    });
    expect(table.hidden.find(({ parameter }) => parameter.name === 'n_epochs')).toMatchObject({ isOfRuns: false });
    const untold = toTestCandidate('untold', { origin: 'run' });
    expect(names(toCompareTable([a, measured, untold], 'a', true))).toContain('last_loss');
  });

  it('shows what one run alone has: nothing else is equal to it', () => {
    expect(names(toCompareTable([a, measured], 'a', true))).toContain('last_loss');
    expect(names(toCompareTable([measured], null, true))).not.toContain('last_loss');
  });

  it('tells 1e-6 from 2e-6, and 1 from "1"', () => {
    const small = [1e-6, 2e-6].map((rate) => toTestCandidate(String(rate), { learning_rate_multiplier: rate }));
    expect(names(toCompareTable(small, null, true))).toEqual(['learning_rate_multiplier']);
    const byKey: Parameter = {
      id: 'typed',
      name: 'typed',
      label: 'typed',
      kind: 'text',
      isResult: false,
      isMeasured: false,
      read: (entry) => (entry.key === 'a' ? 1 : '1'),
    };
    expect(names(toCompareTable([a, same], null, true, [byKey]))).toEqual(['typed']);
  });

  it(
    'shows a row exactly when two of its values differ, whichever is the baseline; every parameter is shown or ' +
      'hidden',
    () => {
      const value = fc.constantFrom(null, 1, 2, Number.NaN);
      fc.assert(
        fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 }), fc.nat(5), (pairs, at) => {
          const columns = pairs.map(([n_epochs, batch_size], index) =>
            toTestCandidate(`k${index}`, { n_epochs, batch_size }),
          );
          const table = toCompareTable(columns, `k${at}`, true);
          expect(table.rows.length + table.hidden.length).toBe(PARAMETERS.length);
          for (const name of ['n_epochs', 'batch_size'] as const) {
            const differs = columns.some((one) => columns.some((other) => !isSameValue(one[name], other[name])));
            expect(names(table).includes(name)).toBe(differs);
          }
        }),
      );
    },
  );
});

describe('baseline', () => {
  it('is the first column when none is chosen or the chosen one has left', () => {
    expect(toCompareTable([twice, a], null, false).baseline?.key).toBe('twice');
    expect(toCompareTable([twice, a], 'gone', false).baseline?.key).toBe('twice');
  });

  it('is the first run where there is one', () => {
    expect(toCompareTable([a, measured, twice], null, false).baseline?.key).toBe('measured');
    expect(toCompareTable([a, measured], 'a', false).baseline?.key).toBe('a');
  });

  it('is null without columns, and nothing is shown', () => {
    expect(toCompareTable([], 'a', true)).toEqual({ columns: [], baseline: null, rows: [], hidden: [] });
  });
});

it('is built for 200 columns in the order in which they were chosen', () => {
  const columns = Array.from({ length: 200 }, (_, index) => toTestCandidate(`k${index}`, { n_epochs: index }));
  const table = toCompareTable(columns, 'k39', true);
  expect(table.rows[0]?.cells.map((cell) => cell.value)).toEqual(columns.map((entry) => entry.n_epochs));
  expect(table.rows[0]?.cells[0]?.delta).toBe('−39');
});

describe('what a difference means', () => {
  const run = (key: string, exact: number, extras: Candidate['extras'] = [], snapshot_id = 's') =>
    toTestCandidate(key, {
      origin: 'run',
      snapshot_id,
      extras: [
        { name: 'seed', kind: 'count', value: key.length },
        { name: 'optimizer', kind: 'text', value: 'adamw' },
        { name: 'held_out_rows', kind: 'count', value: 400, isResult: true },
        { name: 'held_out.exact_match', kind: 'number', value: exact, isResult: true, isMeasured: true },
        { name: 'last_loss', kind: 'number', value: 1 - exact, isResult: true, isMeasured: true },
        ...extras,
      ],
    });
  const cellOf = (columns: readonly Candidate[], id: string) =>
    toCompareTable(columns, 'base', false).rows.find(({ parameter }) => parameter.id === id)?.cells[1];

  it('a share differs in points, with an interval on the same rows, and says which is better', () => {
    const columns = [run('base', 0.9175), run('other', 0.95)];
    expect(cellOf(columns, 'held_out.exact_match')).toMatchObject({
      delta: '+3.2 points',
      verdict: 'better',
      gap: { rows: 400, low: -0.2, high: 6.8 },
    });
    expect(cellOf(columns, 'last_loss')).toMatchObject({ verdict: 'better', gap: null });
    expect(cellOf([run('base', 0.95), run('other', 0.9)], 'last_loss')).toMatchObject({ verdict: 'worse' });
  });

  it('on other rows there is neither a difference nor an interval', () => {
    expect(cellOf([run('base', 0.9), run('other', 0.95, [], 'elsewhere')], 'held_out.exact_match')).toMatchObject({
      delta: null,
      verdict: null,
      gap: null,
      isOtherData: true,
    });
  });

  it('a seed names its run, so two of them are no amount apart', () => {
    expect(cellOf([run('base', 0.9), run('another', 0.9)], 'seed')).toMatchObject({ delta: null, isSame: false });
  });

  it('settings that advice leaves open are no difference among runs that all have the same', () => {
    const table = toCompareTable([run('base', 0.9), run('other', 0.9), a], 'base', true);
    expect(names(table)).not.toContain('optimizer');
    expect(table.hidden.find(({ parameter }) => parameter.name === 'optimizer')).toMatchObject({ isOfRuns: true });
  });
});
