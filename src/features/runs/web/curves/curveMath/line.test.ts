import { describe, expect, it } from 'vitest';
import { findPlace, toLine, toPlaces } from './line.ts';
import { lineOf, toCurve } from './lines.fixture.ts';

const NOTHING = { by: null, startedAt: null, lastStep: null };

describe('toLine', () => {
  const curve = toCurve([3, Number.NaN, 1], { steps: [10, 20, 30], times: [1000, 3000, 5000] });

  it('keeps values that are not finite, and knows their places', () => {
    expect(toLine(curve, 'step', NOTHING).broken).toEqual([1]);
  });

  it('reads epochs between two points of the run’s own curve of epochs', () => {
    const by = toCurve([0, 1], { steps: [0, 40] });
    expect([...toLine(curve, 'epoch', { ...NOTHING, by }).xs]).toEqual([0.25, 0.5, 0.75]);
  });

  it('gives a point just beyond the last epoch its place, and one far beyond none', () => {
    const by = toCurve([0, 1], { steps: [0, 20] });
    const line = toLine(toCurve([5, 6, 7], { steps: [20, 30, 50] }), 'epoch', { ...NOTHING, by });
    expect([...line.xs]).toEqual([1, 1.5]);
    expect(line).toMatchObject({ lost: 1 });
    expect([...line.values]).toEqual([5, 6]);
  });

  it('counts seconds since the run began', () => {
    expect([...toLine(curve, 'elapsed', { ...NOTHING, startedAt: 1000 }).xs]).toEqual([0, 2, 4]);
  });

  it('places runs of any length on one axis, in percent of their steps', () => {
    expect([...toLine(curve, 'share', { ...NOTHING, lastStep: 40 }).xs]).toEqual([25, 50, 75]);
  });

  it('leaves out points without a time, and says how many', () => {
    const line = toLine(toCurve([1, 2], { times: [Number.NaN, 7] }), 'time', NOTHING);
    expect([...line.values]).toEqual([2]);
    expect(line.lost).toBe(1);
  });

  it('has no point on an axis that the run knows nothing of', () => {
    expect(toLine(curve, 'tokens', NOTHING)).toMatchObject({ lost: 3 });
  });

  it('orders the points of a curve that goes back', () => {
    const line = toLine(toCurve([1, 2, 3], { steps: [0, 20, 10] }), 'step', NOTHING);
    expect([[...line.xs], [...line.values]]).toEqual([
      [0, 10, 20],
      [1, 3, 2],
    ]);
  });

  it('knows that the service sent fewer points than there are', () => {
    expect(toLine({ ...curve, length: 900 }, 'step', NOTHING).isThinned).toBe(true);
    expect(toLine(curve, 'step', NOTHING).isThinned).toBe(false);
  });
});

it.each([
  [-1, 0],
  [0, 0],
  [0.5, 1],
  [3, 3],
  [4, 4],
])('finds the place of %d', (x, place) => expect(findPlace(Float64Array.of(0, 1, 2, 3), x)).toBe(place));

it.each([
  [1.5, 2.5, [1, 4]],
  [-9, 99, [0, 5]],
  [9, 10, [4, 5]],
])('takes one point beyond each end of %d to %d', (from, to, places) =>
  expect(toPlaces(lineOf([1, 2, 3, 4, 5]), from, to)).toEqual(places),
);
