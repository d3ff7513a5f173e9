import { describe, expect, it } from 'vitest';
import { toMcNemarP } from '../pairedTest.ts';
import { toPassRate } from '../passRate.ts';
import { toRowsGap } from '../passRateDifference.ts';
import type { MeasureKind } from './estimate.ts';
import { toRowValues } from './rowValues.fixture.ts';
import { toTableResult } from './verdict.ts';

type Rows = Parameters<typeof toRowValues>[0];

/** One line a row, one value an answer. */
const toResult = (own: Rows, kind: MeasureKind, base?: Rows) =>
  toTableResult(
    [{ kind, models: [...(base ? [toRowValues(base)] : []), toRowValues(own)] }],
    base ? 0 : null,
  ).lines[0]!.at(-1)!;

const OWN = [
  [1, 1, 1, 1],
  [1, 1, 0, 1],
  [0, 0, 0, 0],
  [1, 0, 1, 0],
  [1, 1, 1, 1],
  [0, 0, 1, 0],
];
const BASE = [
  [1, 1, 0, 1],
  [0, 1, 0, 0],
  [0, 0, 0, 0],
  [1, 0, 0, 0],
  [1, 0, 1, 1],
  [0, 0, 0, 0],
];

describe('an estimate', () => {
  it('of one answer a row has the interval of a pass rate', () => {
    const rows = [1, 1, 1, 0, 0, 1, 1].map((value) => [value]);
    const { low, high } = toPassRate(5, 7);
    const { value, ...result } = toResult(rows, 'rate').estimate;
    expect(value).toBeCloseTo(5 / 7, 12);
    expect(result.low).toBeCloseTo(low, 12);
    expect(result.high).toBeCloseTo(high, 12);
  });

  // statsmodels 0.15.0: the error of OLS on a constant with clusters is 0.1666667, which 9.75 independent answers have; then
  // proportion_confint(0.5833333 * 9.75, 9.75, method='wilson').
  it('of repeated answers has the interval of as many independent ones as their rows are worth', () => {
    const { low, high, rows, answers } = toResult(OWN, 'rate').estimate;
    expect([rows, answers]).toEqual([6, 24]);
    expect(low).toBeCloseTo(0.2966235518113472, 12);
    expect(high).toBeCloseTo(0.822936829560357, 12);
  });

  it('of rows that all pass is no surer for their repeats', () => {
    const all = Array.from({ length: 5 }, () => [1, 1, 1, 1]);
    expect(toResult(all, 'rate').estimate.low).toBeCloseTo(toPassRate(5, 5).low, 12);
  });

  // statsmodels 0.15.0: OLS on a constant, cov_type='cluster', use_t=True.
  it('of a mean has the t interval of its rows', () => {
    const rows = [
      [2.1, 2.5],
      [3.4, 3],
      [1.2, 1.9],
      [5.5, 4.1],
      [2.2, 2.4],
    ];
    const { value, low, high } = toResult(rows, 'mean').estimate;
    expect(value).toBeCloseTo(2.83, 12);
    expect(low).toBeCloseTo(1.2818984259568875, 9);
    expect(high).toBeCloseTo(4.378101574043112, 9);
  });

  it('leaves out values that are not known', () =>
    expect(toResult([[3, null], [null]], 'mean').estimate).toEqual({
      rows: 1,
      answers: 1,
      value: 3,
      low: null,
      high: null,
    }));

  it('of no value is not known', () =>
    expect(toResult([[null]], 'rate').estimate).toMatchObject({ rows: 0, value: null, low: null }));
});

describe('a comparison with the baseline', () => {
  it('of one answer a row is McNemar’s test with the interval of the pairs', () => {
    const [own, base] = ['1111111100011111', '1100010000011101'].map((text) => [...text].map((each) => [Number(each)]));
    const { comparison } = toResult(own!, 'rate', base!);
    const gap = toRowsGap(
      { share: 13 / 16, right: '1111111100011111' },
      { share: 7 / 16, right: '1100010000011101' },
      16,
    );
    expect(comparison!.p).toBeCloseTo(toMcNemarP(6, 0), 12);
    expect(comparison!.low! * 100).toBeCloseTo(gap!.low, 1);
    expect(comparison!.high! * 100).toBeCloseTo(gap!.high, 1);
  });

  // SciPy 1.17.1: permutation_test((differences,), sum, permutation_type='samples', n_resamples=inf).
  it.each([
    [OWN, BASE, 0.0625],
    [
      [2, 1, 3, 4, 2, 4, 0, 4, 3, 2, 1, 3].map((passed) => [1, 2, 3, 4].map((at) => Number(at <= passed))),
      [0, 2, 2, 1, 2, 2, 2, 0, 2, 1, 2, 1].map((passed) => [1, 2, 3, 4].map((at) => Number(at <= passed))),
      0.10546875,
    ],
  ])('of repeated answers is the exact test of signs of the rows', (own, base, p) => {
    const { comparison } = toResult(own, 'rate', base);
    expect(comparison!.p).toBeCloseTo(p, 12);
    expect(comparison!.low).toBeLessThan(comparison!.difference);
    expect(comparison!.high).toBeGreaterThan(comparison!.difference);
  });

  // SciPy 1.17.1: ttest_rel and its confidence_interval.
  it('of means is the paired t test', () => {
    const [own, base] = [
      [812, 905, 733, 1210, 640, 880, 990, 1405],
      [790, 870, 760, 1100, 600, 850, 1010, 1300],
    ].map((values) => values.map((value) => [value]));
    const { comparison } = toResult(own!, 'mean', base!);
    expect(comparison!.p).toBeCloseTo(0.07598131592676349, 10);
    expect(comparison!.low).toBeCloseTo(-5.027291007246674, 8);
    expect(comparison!.high).toBeCloseTo(78.77729100724667, 8);
  });

  it('counts only rows with values of both', () =>
    expect(toResult([[1], [1], [null]], 'rate', [[1], [null], [0]]).comparison).toMatchObject({
      rows: 1,
      difference: 0,
      p: 1,
    }));

  it('is none where no row has values of both', () =>
    expect(toResult([[null], [1]], 'rate', [[1], [null]]).comparison).toBeNull());

  it('of equal differences goes by their number', () =>
    expect(toResult([[2], [3], [4]], 'mean', [[1], [2], [3]]).comparison!.p).toBe(0.25));
});

it('corrects p values for all comparisons of a table, and says what is better then', () => {
  const toLine = (...models: readonly string[]) => ({
    kind: 'rate' as const,
    models: models.map((text) => toRowValues([...text].map((each) => [Number(each)]))),
  });
  const all = toLine('0000000000', '1111111100', '1000000000');
  const toFound = (lines: readonly (typeof all)[]) => {
    const { lines: results, comparisons } = toTableResult(lines, 0);
    return { comparisons, found: results[0]!.map(({ comparison: own }) => own && [own.p, own.adjustedP, own.side]) };
  };
  expect(toFound([all])).toEqual({
    comparisons: 2,
    found: [null, [expect.closeTo(0.0078125, 12), expect.closeTo(0.015625, 12), 'better'], [1, 1, 'undecided']],
  });
  // Seven times 0.0078125 is more than 0.05.
  const same = toLine('0', '0');
  expect(toFound([all, same, same, same, same, same])).toMatchObject({
    comparisons: 7,
    found: [null, [expect.closeTo(0.0078125, 12), expect.closeTo(0.0546875, 12), 'undecided'], [1, 1, 'undecided']],
  });
});

it('the comparisons of a large table take the t test, because exact tests of all of them take seconds', () => {
  const [base, own] = [7, 3].map((step) =>
    toRowValues(
      Array.from({ length: 600 }, (_, row) => [1, 0, Number((row * step) % 5 < 2), Number(row % step === 0)]),
    ),
  ) as [ReturnType<typeof toRowValues>, ReturnType<typeof toRowValues>];
  const line = { kind: 'rate' as const, models: [base, own] };
  const pOf = (lines: number) =>
    toTableResult(
      Array.from({ length: lines }, () => line),
      0,
    ).lines.map(([, each]) => each?.comparison?.p ?? 0);
  const [alone = 0] = pOf(1);
  const [first = 0, ...others] = pOf(300);
  expect(first).not.toBe(alone);
  expect(first).toBeCloseTo(alone, 3);
  expect(new Set(others)).toEqual(new Set([first]));
});
