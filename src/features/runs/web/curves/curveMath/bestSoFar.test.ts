import { describe, expect, it } from 'vitest';
import { toBestSoFar } from './bestSoFar.ts';
import { lineOf, toCurve } from './lines.fixture.ts';
import { toLine } from './line.ts';

const timed = (run: string, values: readonly number[], start: number) =>
  toLine(toCurve(values, { run, times: values.map((_, at) => start + at) }), 'step', {
    by: null,
    startedAt: null,
    lastStep: null,
  });

describe('toBestSoFar', () => {
  it('goes through the runs in the order of their start', () => {
    const points = toBestSoFar([timed('late', [3, 1], 200), timed('early', [5, 2], 100)], 'lower');
    expect(points.map(({ runId, value, best, isRecord }) => [runId, value, best, isRecord])).toEqual([
      ['early', 2, 2, true],
      ['late', 1, 1, true],
    ]);
  });

  it('stays at the best value while runs are worse', () => {
    const points = toBestSoFar([timed('a', [5], 1), timed('b', [3], 2), timed('c', [8], 3)], 'higher');
    expect(points.map(({ best }) => best)).toEqual([5, 5, 8]);
    expect(points.map(({ isRecord }) => isRecord)).toEqual([true, false, true]);
  });

  it('skips a run without a finite value', () => {
    expect(toBestSoFar([lineOf([Number.NaN], 'x')], 'lower')).toEqual([
      { runId: 'x', value: null, best: null, isRecord: false, startedAt: null },
    ]);
  });
});
