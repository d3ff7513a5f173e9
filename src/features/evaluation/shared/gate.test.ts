import { describe, expect, it } from 'vitest';
import type { Scores } from './contract/evaluationRuns.ts';
import { toGate } from './gate.ts';

const rate = (low: number, high: number, total = 100): Scores['models'][number]['rate'] => ({
  passed: 0,
  total,
  rate: (low + high) / 2,
  low,
  high,
  not_checked: 0,
  mean_score: null,
});
/** `gap`: bounds in points of percent. */
const model = (name: string, bounds: readonly [number, number], gap: readonly [number, number] | null = null) => ({
  model: name,
  rate: rate(...bounds),
  difference: gap && {
    rows: 100,
    value: (gap[0] + gap[1]) / 2,
    low: gap[0],
    high: gap[1],
    p: null,
    adjusted_p: null,
    verdict: 'undecided' as const,
    improved: 0,
    regressed: 0,
  },
  by_check: [],
  by_tag: [],
});
const scores = (...models: Scores['models']): Scores => ({
  baseline: 'base',
  checks_version: 1,
  comparisons: { models: 1, checks: 0, tags: 0 },
  models,
});

describe('a gate', () => {
  it.each([
    [[0.95, 1], 'pass'],
    [[0.9, 0.94], 'worse'],
    [[0.9, 0.97], 'undecided'],
  ] as const)('of at least 0.95 says of the interval %j: %s', (bounds, outcome) => {
    expect(toGate(scores(model('a', bounds)), { minPass: 0.95, margin: null }).outcome).toBe(outcome);
  });

  it.each([
    [[-1, 3], 'pass'],
    [[-9, -3], 'worse'],
    [[-3, 3], 'undecided'],
    [null, 'undecided'],
  ] as const)('with a margin of two points says of the difference %j: %s', (gap, outcome) => {
    const base = model('base', [0.1, 0.2]);
    const gate = toGate(scores(base, model('a', [0.9, 1], gap)), { minPass: null, margin: 0.02 });
    expect([gate.outcome, gate.models.map(({ model: name }) => name)]).toEqual([outcome, ['a']]);
  });

  it('is as good as the worst of its models, and worse comes before undecided', () => {
    const models = [model('a', [0.95, 1]), model('b', [0.8, 0.97]), model('c', [0.5, 0.6])];
    expect(toGate(scores(...models), { minPass: 0.9, margin: null })).toMatchObject({
      outcome: 'worse',
      models: [{ outcome: 'pass' }, { outcome: 'undecided' }, { outcome: 'worse' }],
    });
  });

  it('decides nothing where nothing was judged', () => {
    const nothing = { ...model('a', [0, 1]), rate: rate(0, 1, 0) };
    expect(toGate(scores(nothing), { minPass: 0, margin: null }).outcome).toBe('undecided');
  });
});
