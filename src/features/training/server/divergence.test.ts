import { describe, expect, it } from 'vitest';
import { addLoss, FIRST_LOSSES, toDivergence } from './divergence.ts';

const watch = (losses: readonly (number | null)[]) => losses.reduce(addLoss, FIRST_LOSSES);
const many = (count: number, loss: number | null) => Array.from({ length: count }, () => loss);
const START = [2, 2.2, 1.8, 2, 2];

describe('a run', () => {
  it.each([
    ['that learns', [...START, 1, 0.5, 0.1]],
    ['that wavers around its start', [...START, ...many(1000, 2.1)]],
    ['with a few losses that are no number', [...START, null, null, null, null, 1, null]],
    ['with a rise that goes down again', [...START, ...many(149, 9), 1.9, ...many(149, 9)]],
    ['that has not begun', []],
  ])('%s has not diverged', (_what, losses) => {
    expect(toDivergence(watch(losses), losses.length)).toBeNull();
  });

  it('has diverged once its loss is no number for five steps, also from the first one on', () => {
    expect(toDivergence(watch([...START, ...many(5, null)]), 10)).toMatch(/from step 6 on its loss was not a finite/);
    expect(toDivergence(watch(many(5, null)), 5)).toMatch(/from step 1 on/);
  });

  it('has diverged once its loss is above its start for long, and the reason has the start', () => {
    expect(toDivergence(watch([...START, ...many(150, 2.5)]), 155)).toMatch(/above its start \(2\.00\) for 150 steps/);
  });
});
