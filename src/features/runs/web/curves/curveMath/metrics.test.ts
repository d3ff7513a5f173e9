import { describe, expect, it } from 'vitest';
import { findTerm } from './metricTerms.ts';
import { toBetter, toDecidingMetric, toMetricGroups, toPlotSpecs, toUsualMetrics } from './metrics.ts';

const named = (...names: string[]) => names.map((name) => ({ name, runs: 3 }));

describe('toMetricGroups', () => {
  it('groups by prefix, training and evaluation first', () => {
    const groups = toMetricGroups(named('zeta/a', 'rewards/x', 'loss', 'eval/loss', 'alpha/b'));
    expect(groups.map(({ prefix }) => prefix)).toEqual(['', 'eval/', 'rewards/', 'alpha/', 'zeta/']);
  });

  it('keeps names that have all searched words, in any case', () => {
    expect(toMetricGroups(named('eval/Loss', 'loss', 'eval/kl'), 'LOSS eval')).toMatchObject([
      { prefix: 'eval/', names: [{ name: 'eval/Loss' }] },
    ]);
  });
});

describe('toUsualMetrics', () => {
  it('begins with the losses of supervised runs', () => {
    expect(toUsualMetrics(named('grad_norm', 'epoch', 'learning_rate', 'eval/loss', 'loss'))).toEqual([
      'loss',
      'eval/loss',
      'learning_rate',
      'grad_norm',
    ]);
  });

  it('adds the rewards of DPO', () => {
    expect(toUsualMetrics(named('loss', 'rewards/chosen', 'rewards/accuracies')).slice(0, 3)).toEqual([
      'loss',
      'rewards/accuracies',
      'rewards/chosen',
    ]);
  });

  it('begins with the reward where most runs are GRPO', () => {
    expect(toUsualMetrics(named('loss', 'kl', 'reward'))[0]).toBe('reward');
    expect(toUsualMetrics([{ name: 'loss', runs: 9 }, ...named('reward')])[0]).toBe('loss');
  });

  it('takes the first metrics of runs that have none of them', () => {
    expect(toUsualMetrics(named('speed', 'fun'))).toEqual(['speed', 'fun']);
  });
});

it('draws a metric and its validation values in one plot', () => {
  expect(toPlotSpecs(['eval/loss', 'kl', 'loss', 'eval/wer'])).toEqual([
    { key: 'loss', names: ['loss', 'eval/loss'] },
    { key: 'kl', names: ['kl'] },
    { key: 'eval/wer', names: ['eval/wer'] },
  ]);
});

it('draws what was trained again with the metric that replaced it', () => {
  expect(toPlotSpecs(['loss', 'replaced/loss', 'replaced/eval/loss', 'replaced/kl'])).toEqual([
    { key: 'loss', names: ['loss', 'replaced/loss', 'replaced/eval/loss'] },
    { key: 'replaced/kl', names: ['replaced/kl'] },
  ]);
});

it.each([
  ['eval/loss', 'lower'],
  ['kl', 'lower'],
  ['objective/kl', 'lower'],
  ['rewards/accuracies', 'higher'],
  ['reward', 'higher'],
])('knows which values of %s are better', (name, better) => expect(toBetter(name)).toBe(better));

it('compares runs by validation values if they have any', () => {
  expect(toDecidingMetric(named('loss', 'eval/loss'))).toBe('eval/loss');
  expect(toDecidingMetric(named('fun'))).toBe('fun');
  expect(toDecidingMetric([])).toBeNull();
});

describe('findTerm', () => {
  it('explains a metric on validation rows as such', () => {
    expect(findTerm('eval/rewards/margins')).toMatch(/^On validation rows\. DPO/);
    expect(findTerm('eval/loss')).toMatch(/validation rows/);
  });

  it('names the reward function of GRPO', () =>
    expect(findTerm('rewards/format_reward/mean')).toMatch(/format_reward/));

  it.each(['my_own', 'constructor', 'eval/my_own'])('says nothing of %s', (name) => expect(findTerm(name)).toBeNull());
});
