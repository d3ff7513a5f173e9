import { expect, it } from 'vitest';
import { toSeedRuns, type CalibrationRun } from '#features/experiments/shared/measured/calibration.ts';
import { toNextSeed } from './seeds.ts';

const toRun = (batch_size: number, loss: number | null, seed: number): CalibrationRun => ({
  task: 'dates',
  lora: false,
  learning_rate: 3e-3,
  batch_size,
  n_epochs: 6,
  seed,
  steps: 100,
  loss,
  exact_match: loss === null ? null : 0.9,
  cpu_seconds: 10,
});

it('repeats the best by their means until each has had all seeds, also those that turn out to be better', () => {
  const LUCKY = 9;
  const toLoss = (batch: number, seed: number): number => (batch !== LUCKY ? batch / 10 : seed === 1 ? 0.01 : 2);
  const runs = [LUCKY, 2, 3, 4, 5, 6].map((batch) => toRun(batch, toLoss(batch, 1), 1));
  const asked: string[] = [];
  for (let next = toNextSeed(toSeedRuns(runs), 3); next !== null; next = toNextSeed(toSeedRuns(runs), 3)) {
    const seed = next.runs.length + 1;
    asked.push(`${next.batch_size}/${seed}`);
    runs.push(toRun(next.batch_size, toLoss(next.batch_size, seed), seed));
  }
  expect(asked).toEqual(['9/2', '2/2', '2/3', '3/2', '3/3', '4/2', '4/3', '5/2', '5/3']);
});

it('does not repeat what diverged', () => {
  expect(toNextSeed(toSeedRuns([toRun(2, null, 1)]), 3)).toBeNull();
  const runs = [toRun(2, 0.1, 1), toRun(2, null, 2)];
  expect(toSeedRuns(runs)).toMatchObject([{ loss: null, exact_match: null, runs }]);
  expect(toNextSeed(toSeedRuns(runs), 3)).toBeNull();
});
