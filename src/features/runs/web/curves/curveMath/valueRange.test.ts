import { describe, expect, it } from 'vitest';
import { lineOf } from './lines.fixture.ts';
import { toValueRange } from './valueRange.ts';
import { toWholeRange } from './xRange.ts';

const PLAIN = { isLog: false, outliers: 'shown' } as const;
const ALL = { from: 0, to: 1000 };

describe('toValueRange', () => {
  it('spans the finite values of all lines in view', () => {
    const lines = [lineOf([1, Number.NaN, 3]), lineOf([Number.POSITIVE_INFINITY, -2])];
    expect(toValueRange(lines, ALL, PLAIN)).toMatchObject({ low: -2, high: 3, above: 0, below: 0 });
  });

  it('looks only at what is in view, and one point beyond', () => {
    expect(toValueRange([lineOf([100, 1, 2, 3, 100])], { from: 2, to: 2 }, PLAIN)).toMatchObject({ low: 1, high: 3 });
  });

  it('cuts spikes off, and counts them', () => {
    const values = Array.from({ length: 200 }, (_, at) => (at === 50 || at === 90 ? 1000 : (at % 10) / 10));
    const range = toValueRange([lineOf(values)], ALL, { isLog: false, outliers: 'cut' });
    expect(range).toMatchObject({ above: 2, below: 0, low: 0 });
    expect(range!.high).toBeLessThan(2);
  });

  it('cuts off one diverged run of three, which would flatten the others', () => {
    const usual = Array.from({ length: 50 }, (_, at) => 1 / (1 + at / 10));
    const lines = [
      lineOf(usual),
      lineOf(usual),
      lineOf(
        usual.map((_, at) => at * 50),
        'c',
      ),
    ];
    expect(toValueRange(lines, ALL, { isLog: false, outliers: 'far' })).toMatchObject({
      above: 49,
      high: 1,
      runs: new Set(['c']),
      outside: new Set(['c']),
    });
    expect(toValueRange(lines, ALL, { isLog: true, outliers: 'far' })).toMatchObject({ above: 0, high: 2450 });
  });

  it('cuts nothing off a curve without outliers', () => {
    const values = Array.from({ length: 200 }, (_, at) => at);
    expect(toValueRange([lineOf(values)], ALL, { isLog: false, outliers: 'cut' })).toMatchObject({
      low: 0,
      high: 199,
      above: 0,
      below: 0,
    });
  });

  it.each<[string, readonly number[], number, number]>([
    ['values over 20 times the median', [0.1, 0.2, 0.3, 4, 80], 4, 1],
    ['nothing where the highest is near enough', [0.1, 0.2, 0.3, 4, 6], 6, 0],
    ['nothing below zero, where times says nothing', [-3, -2, -1, 5, 900], 900, 0],
  ])('cuts off %s', (_what, values, high, above) =>
    expect(toValueRange([lineOf(values)], ALL, { isLog: false, outliers: 'far' })).toMatchObject({ high, above }),
  );

  it('begins at the lowest value above 0 on a logarithmic axis', () => {
    expect(toValueRange([lineOf([0, -1, 0.5, 4])], ALL, { isLog: true, outliers: 'shown' })).toMatchObject({
      low: 0.5,
      high: 4,
    });
  });

  it.each([
    [[Number.NaN], PLAIN],
    [[0, -1], { isLog: true, outliers: 'shown' } as const],
    [[], PLAIN],
  ])('is null where no value of %j has a place', (values, how) =>
    expect(toValueRange([lineOf(values)], ALL, how)).toBeNull(),
  );
});

it('spans the x of all lines; null without a point', () => {
  expect(toWholeRange([lineOf([1, 2]), lineOf([1, 2, 3, 4]), lineOf([])])).toEqual({ from: 0, to: 3 });
  expect(toWholeRange([lineOf([])])).toBeNull();
});
