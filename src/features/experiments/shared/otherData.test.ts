import { expect, it } from 'vitest';
import { toOtherDataNote } from './otherData.ts';

it('counts the datasets of runs that share an axis, each once', () => {
  expect(toOtherDataNote(['a', 'b', 'a', 'c', null])).toBe(
    'Runs of 3 datasets: their losses and measures are not comparable.',
  );
});

it.each([[[]], [[null]], [['a']], [['a', 'a', null]]])('says nothing of one dataset: %j', (datasets) => {
  expect(toOtherDataNote(datasets)).toBeNull();
});
