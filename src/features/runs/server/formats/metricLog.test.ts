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

it('keeps all points of a metric in the order of its steps, also those that come late', () => {
  const log = new MetricLog();
  for (const step of [10, 20, 30, 15]) log.add('loss', step, step, null, SOURCE);
  log.add('other', 1, 5, null, SOURCE);
  expect(points(log, 'loss')).toEqual([10, 15, 20, 30].map((step) => [step, step]));
  expect(points(log, 'other')).toEqual([[5, 1]]);
  log.dropFrom(10);
  expect(points(log, 'loss')).toEqual([]);
});

it('replaces the steps that a session repeats where several write into one log', () => {
  const log = new MetricLog({ replacesRepeats: true });
  for (const step of [10, 20, 30, 40, 20, 30]) log.add('loss', log.step === null ? step : step + 1, step, null, SOURCE);
  log.add('loss', 7, 20, null, SOURCE);
  expect(points(log, 'loss')).toEqual([
    [10, 10],
    [20, 7],
    [30, 31],
    [40, 41],
  ]);
  expect(log.problems).toEqual([]);
});

it('counts the rows of one program on that count within an epoch, and says so', () => {
  const log = new MetricLog();
  for (let epoch = 0; epoch < 3; epoch += 1) {
    for (const iteration of [1, 2, 3]) {
      const step = log.toRowStep(iteration, ['loss']);
      log.add('loss', 1, step, null, SOURCE);
    }
    log.add('val_loss', 1, log.toRowStep(3, ['val_loss']), null, SOURCE);
  }
  expect(points(log, 'loss').map(([step]) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(points(log, 'eval/loss').map(([step]) => step)).toEqual([3, 6, 9]);
  expect(log.problems).toEqual([
    'The steps begin again at the first one, 2 times. No value is dropped: the steps are counted on. Log a step that goes on over the whole run to see that one.',
  ]);
});

it('has a curve of what was logged at each step, whatever its name, and a figure of what was logged once', () => {
  const log = new MetricLog();
  for (const step of [1, 2, 3]) log.add('train_loss', 2 / step, step, null, SOURCE);
  log.add('train_runtime', 60, 3, null, SOURCE);
  expect(points(log, 'loss')).toEqual([
    [1, 2],
    [2, 1],
    [3, 2 / 3],
  ]);
  expect([...log.summary.keys()]).toEqual(['train_runtime']);

  const resumed = new MetricLog();
  for (const step of [10, 20]) {
    resumed.add('train/loss', 2, step, null, SOURCE);
    resumed.add('train/train_loss', 1 / step, step, null, SOURCE);
  }
  expect([...resumed.curves.keys()]).toEqual(['loss']);
  expect(resumed.summary.get('train_loss')?.value).toBe(0.05);
});

it('keeps two metrics apart that have one name, and the second keeps its own', () => {
  const log = new MetricLog();
  log.add('train/loss', 1, 1, null, SOURCE);
  log.add('loss', 2, 1, null, SOURCE);
  log.add('train_loss_step', 3, 1, null, SOURCE);
  expect([...log.curves.keys()]).toEqual(['loss', 'train_loss_step']);
});

it('stops at very many and very long names', () => {
  const log = new MetricLog();
  for (let index = 0; index < 2100; index += 1) log.add(`loss of step ${index}`, 1, index, null, SOURCE);
  log.add('x'.repeat(1000), 1, 1, null, SOURCE);
  expect(log.curves.size).toBe(2000);
});

it('knows the words for NaN and infinities, and no other text', () => {
  expect(['nan', 'inf', '-inf'].map(toMetricValue)).toEqual([Number.NaN, Infinity, -Infinity]);
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
