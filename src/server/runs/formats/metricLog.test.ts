import { expect, it } from 'vitest';
import { MetricLog, toMetricValue } from './metricLog.ts';

const SOURCE = { file: 'log', place: null };
const points = (log: MetricLog, name: string) => {
  const { steps, values } = log.curves.get(name)?.read() ?? { steps: [], values: [] };
  return [...steps].map((step, index) => [step, values[index]]);
};

it('makes curves by name, and the figures of the whole run', () => {
  const log = new MetricLog();
  log.add('train/loss', 2, 10, 5000, SOURCE);
  log.add('eval_loss', 3, 10, 4000, SOURCE);
  log.add('train/train_runtime', 60, 10, null, SOURCE);
  log.add('train/global_step', 10, 10, null, SOURCE);
  expect([...log.curves.keys()]).toEqual(['loss', 'eval/loss']);
  expect([...log.summary]).toEqual([['train_runtime', { value: 60, source: SOURCE }]]);
  expect([log.step, log.firstTime, log.lastTime]).toEqual([10, 4000, 5000]);
});

it('has an epoch for each step once', () => {
  const log = new MetricLog();
  for (const [epoch, step] of [
    [0.5, 10],
    [0.5, 10],
    [1, 20],
    [Number.NaN, 30],
  ] as const) {
    log.add('epoch', epoch, step, null, SOURCE);
  }
  expect(points(log, 'epoch')).toEqual([
    [10, 0.5],
    [20, 1],
    [30, Number.NaN],
  ]);
  expect(log.toProgress(40, null)).toEqual({ step: 30, totalSteps: 40, epoch: 1, totalEpochs: null });
});

it('replaces the steps of a metric that are repeated, and leaves other metrics as they are', () => {
  const log = new MetricLog();
  for (const step of [10, 20, 30, 15]) log.add('loss', step, step, null, SOURCE);
  log.add('other', 1, 5, null, SOURCE);
  expect(points(log, 'loss')).toEqual([
    [10, 10],
    [15, 15],
  ]);
  expect(points(log, 'other')).toEqual([[5, 1]]);
  log.dropFrom(10);
  expect(points(log, 'loss')).toEqual([]);
});

it('stops at very many and very long names', () => {
  const log = new MetricLog();
  for (let index = 0; index < 2100; index += 1) log.add(`loss of step ${index}`, 1, index, null, SOURCE);
  log.add('x'.repeat(1000), 1, 1, null, SOURCE);
  expect(log.curves.size).toBe(2000);
});

it('knows the words for NaN and infinities, and no other text', () => {
  expect(['NaN', 'Infinity', '-Infinity', 1.5, '1.5', null, true, [1]].map(toMetricValue)).toEqual([
    Number.NaN,
    Infinity,
    -Infinity,
    1.5,
    null,
    null,
    null,
    null,
  ]);
});
