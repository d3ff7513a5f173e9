import { describe, expect, it } from 'vitest';
import { toMcNemarP } from '../pairedTest.ts';
import { toPassRate } from '../passRate.ts';
import { toRowsGap } from '../passRateDifference.ts';
import { toSlices, toVerdict, type JudgedAnswer, type Measure } from './verdict.ts';

const PASS: Measure = { id: 'pass', kind: 'rate' };
const MS: Measure = { id: 'ms', kind: 'mean' };

/** One line a row, one value an answer. */
const toAnswers = (model: string, measure: string, rows: readonly (readonly (number | null)[])[]): JudgedAnswer[] =>
  rows.flatMap((values, row) => values.map((value) => ({ row, model, values: { [measure]: value } })));

const toResult = (own: readonly JudgedAnswer[], measure: Measure, base: readonly JudgedAnswer[] = []) =>
  toVerdict({ answers: [...base, ...own], measures: [measure], baseline: base[0]?.model ?? null }).at(-1)!.measures[
    measure.id
  ]!;

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
    const { value, ...result } = toResult(toAnswers('a', 'pass', rows), PASS);
    expect(value).toBeCloseTo(5 / 7, 12);
    expect(result.low).toBeCloseTo(low, 12);
    expect(result.high).toBeCloseTo(high, 12);
  });

  // statsmodels 0.15.0: the error of OLS on a constant with clusters is 0.1666667, which 9.75 independent answers have; then
  // proportion_confint(0.5833333 * 9.75, 9.75, method='wilson').
  it('of repeated answers has the interval of as many independent ones as their rows are worth', () => {
    const { low, high, rows, answers } = toResult(toAnswers('a', 'pass', OWN), PASS);
    expect([rows, answers]).toEqual([6, 24]);
    expect(low).toBeCloseTo(0.2966235518113472, 12);
    expect(high).toBeCloseTo(0.822936829560357, 12);
  });

  it('of rows that all pass is no surer for their repeats', () => {
    const all = Array.from({ length: 5 }, () => [1, 1, 1, 1]);
    expect(toResult(toAnswers('a', 'pass', all), PASS).low).toBeCloseTo(toPassRate(5, 5).low, 12);
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
    const { value, low, high } = toResult(toAnswers('a', 'ms', rows), MS);
    expect(value).toBeCloseTo(2.83, 12);
    expect(low).toBeCloseTo(1.2818984259568875, 9);
    expect(high).toBeCloseTo(4.378101574043112, 9);
  });

  it('leaves out values that are not known, and counts them', () =>
    expect(toResult(toAnswers('a', 'ms', [[3, null], [null]]), MS)).toEqual({
      rows: 1,
      answers: 1,
      missing: 2,
      value: 3,
      low: null,
      high: null,
      comparison: null,
    }));

  it('of no value is not known', () =>
    expect(toResult(toAnswers('a', 'pass', [[null]]), PASS)).toMatchObject({ rows: 0, value: null, low: null }));
});

describe('a comparison with the baseline', () => {
  it('of one answer a row is McNemar’s test with the interval of the pairs', () => {
    const [own, base] = ['1111111100011111', '1100010000011101'].map((text) => [...text].map((each) => [Number(each)]));
    const { comparison } = toResult(toAnswers('a', 'pass', own!), PASS, toAnswers('b', 'pass', base!));
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
    const { comparison } = toResult(toAnswers('a', 'pass', own), PASS, toAnswers('b', 'pass', base));
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
    const { comparison } = toResult(toAnswers('a', 'ms', own!), MS, toAnswers('b', 'ms', base!));
    expect(comparison!.p).toBeCloseTo(0.07598131592676349, 10);
    expect(comparison!.low).toBeCloseTo(-5.027291007246674, 8);
    expect(comparison!.high).toBeCloseTo(78.77729100724667, 8);
  });

  it('counts only rows with values of both', () => {
    const base = toAnswers('b', 'pass', [[1], [null], [0]]);
    const { comparison } = toResult(toAnswers('a', 'pass', [[1], [1], [null]]), PASS, base);
    expect(comparison).toMatchObject({ rows: 1, difference: 0, p: 1 });
  });

  it('is none where no row has values of both', () =>
    expect(
      toResult(toAnswers('a', 'pass', [[null], [1]]), PASS, toAnswers('b', 'pass', [[1], [null]])).comparison,
    ).toBeNull());

  it('of equal differences goes by their number', () => {
    const base = toAnswers('b', 'ms', [[1], [2], [3]]);
    expect(toResult(toAnswers('a', 'ms', [[2], [3], [4]]), MS, base).comparison!.p).toBe(0.25);
  });
});

const toRow = (text: string) => [...text].map((each) => [Number(each)]);
const THREE = [
  ...toAnswers('base', 'pass', toRow('0000000000')),
  ...toAnswers('good', 'pass', toRow('1111111100')),
  ...toAnswers('same', 'pass', toRow('1000000000')),
];

it('corrects p values for their number', () => {
  const verdict = toVerdict({ answers: THREE, measures: [PASS], baseline: 'base' });
  expect(verdict.map(({ model }) => model)).toEqual(['base', 'good', 'same']);
  const comparisons = verdict.map(({ measures }) => measures['pass']!.comparison);
  expect(comparisons[0]).toBeNull();
  expect(comparisons.map((each) => each?.p ?? -1)).toEqual([-1, expect.closeTo(0.0078125, 12), 1]);
  expect(comparisons.map((each) => each?.adjustedP ?? -1)).toEqual([-1, expect.closeTo(0.015625, 12), 1]);
});

it('gives the result of each slice, the largest first, corrected for all of them', () => {
  const slices = toSlices({ answers: THREE, measures: [PASS], baseline: 'base' }, ({ row }) =>
    Number(row) < 8 ? ['early', 'all'] : ['late', 'all'],
  );
  expect(slices.map(({ key, rows }) => [key, rows])).toEqual([
    ['all', 10],
    ['early', 8],
    ['late', 2],
  ]);
  const early = slices[1]!.models.find(({ model }) => model === 'good')!.measures['pass']!;
  expect(early).toMatchObject({ value: 1, rows: 8 });
  expect(early.comparison!.adjustedP).toBeCloseTo(6 * 0.0078125, 12);
});
