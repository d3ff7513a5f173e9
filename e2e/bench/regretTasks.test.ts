import { describe, expect, it } from 'vitest';
import { readBuiltInRuns } from '#features/experiments/shared/measured/builtIn.ts';
import { toDefaults } from './regretRules.ts';
import { LARGE_TASK, LEFT_OUT, REGRET_TASKS, toRegretRows, type RegretTask } from './regretTasks.ts';

describe.each<RegretTask>([...REGRET_TASKS, ...LEFT_OUT, LARGE_TASK])('the task %s', (name) => {
  it('has the same rows for the same seed, none twice, and other rows for another seed', () => {
    const rows = toRegretRows(name, 220, 5);
    expect(toRegretRows(name, 220, 5)).toEqual(rows);
    expect(toRegretRows(name, 220, 6)).not.toEqual(rows);
    expect(new Set(rows).size).toBe(220);
  });
});

it('recommendations rest on no run of the tasks that judge them', () => {
  const known = new Set(readBuiltInRuns().map(({ task }) => task));
  expect(known.size).toBeGreaterThan(0);
  for (const name of [...LEFT_OUT, LARGE_TASK]) expect(known).not.toContain(name);
});

it('a default batch of other tools has as many rows here: sequences of 128 tokens that are nine tenths full', () => {
  const toBatches = (tokens: number) => toDefaults(200, tokens).map(({ settings }) => settings.batch_size);
  expect(toBatches(64).slice(0, 3)).toEqual([4, 4, 4]);
  expect(toBatches(5)).toEqual([1, 1, 1, 1]);
});
