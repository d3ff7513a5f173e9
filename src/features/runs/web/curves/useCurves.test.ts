import { expect, it } from 'vitest';
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import { toUnitedCurves, type FollowedCurves } from './useCurves.ts';

const toCurve = (run_id: string, name: string, last: number): ReadCurve => ({
  run_id,
  name,
  length: 1,
  steps: Float64Array.of(1),
  values: Float64Array.of(last),
  times: Float64Array.of(1),
});
const toFollowed = (curves: readonly ReadCurve[], names: FollowedCurves['names']): FollowedCurves => ({
  curves,
  whole: curves,
  names,
  isPending: false,
  error: null,
  isThinned: false,
  onRetry: () => undefined,
});

it('what the service says of a run is drawn with the losses of runs of which it says nothing', () => {
  const given = toFollowed([toCurve('a', 'loss', 1), toCurve('b', 'loss', 2)], [{ name: 'loss', runs: 2 }]);
  const asked = toFollowed(
    [toCurve('a', 'loss', 3), toCurve('a', 'system/memory_gib', 4)],
    [
      { name: 'loss', runs: 1 },
      { name: 'system/memory_gib', runs: 1 },
    ],
  );
  const { whole, curves, names } = toUnitedCurves(given, asked, new Set(['a']));
  expect(whole.map(({ run_id: run, name, values }) => [run, name, values[0]])).toEqual([
    ['a', 'loss', 3],
    ['a', 'system/memory_gib', 4],
    ['b', 'loss', 2],
  ]);
  expect(curves).toBe(whole);
  expect(names).toEqual([
    { name: 'loss', runs: 2 },
    { name: 'system/memory_gib', runs: 1 },
  ]);
  expect(toUnitedCurves(given, toFollowed([], []), new Set())).toBe(given);
});

it('a metric of a run counts once, though its curve is given and the service only counts it', () => {
  const given = toFollowed([toCurve('a', 'loss', 1)], [{ name: 'loss', runs: 1 }]);
  const asked = toFollowed(
    [toCurve('a', 'gradient_norm', 3)],
    [
      { name: 'loss', runs: 1 },
      { name: 'gradient_norm', runs: 1 },
    ],
  );
  expect(toUnitedCurves(given, asked, new Set(['a'])).names).toEqual(asked.names);
});
