import { expect, it } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { appendLog, joinProgress } from './mergeProgress.ts';

function progress(step: number, points: readonly number[], validations: readonly number[] = []): TrainingProgress {
  return {
    step,
    points: points.map((at) => ({ step: at, loss: 1 / at })),
    validations: validations.map((at) => ({ step: at, loss: 1 })),
    checkpoints: [],
  } as unknown as TrainingProgress;
}

it('what is new comes behind what is known, and no step is there twice', () => {
  const joined = joinProgress(progress(2, [1, 2], [2]), progress(4, [2, 3, 4], [2, 4]));
  expect(joined?.points.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
  expect(joined?.validations.map(({ step }) => step)).toEqual([2, 4]);
  expect(joined?.step).toBe(4);
});

it('a run that began anew has its new steps only', () => {
  expect(joinProgress(progress(9, [8, 9]), progress(1, [1]))?.points.map(({ step }) => step)).toEqual([1]);
  expect(joinProgress(progress(9, [9]), null)).toBeNull();
});

it('a log grows, and keeps its end from the start of a line on', () => {
  const first = appendLog(undefined, { from: 0, next: 6, size: 6, text: 'begin\n' });
  const second = appendLog(first, { from: 6, next: 10, size: 10, text: 'end\n' });
  expect(second).toEqual({ text: 'begin\nend\n', next: 10, isCut: false });
  const long = appendLog(second, { from: 10, next: 300_010, size: 300_010, text: 'a line\n'.repeat(42_858) });
  expect(long.isCut).toBe(true);
  expect(long.text.startsWith('a line\n')).toBe(true);
  expect(long.text.length).toBeLessThanOrEqual(200_000);
});

it('where the service dropped the beginning, what was before is gone', () => {
  const first = appendLog(undefined, { from: 0, next: 2, size: 2, text: 'a\n' });
  expect(appendLog(first, { from: 50, next: 52, size: 52, text: 'b\n' })).toEqual({
    text: 'b\n',
    next: 52,
    isCut: true,
  });
});
