import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { thinLosses } from './losses.ts';

const toPoints = (losses: readonly number[]) => losses.map((loss, step) => ({ step, loss }));

it('leaves a short curve as it is', () => {
  const points = toPoints([3, 2, 1]);
  expect(thinLosses(points, 3)).toBe(points);
  expect(thinLosses([], 10)).toEqual([]);
});

it('keeps a single spike and a single dip of a long curve', () => {
  const losses = Array.from({ length: 5000 }, (_, step) => 5 - step / 1000);
  losses[1234] = 40;
  losses[4001] = -7;
  const kept = thinLosses(toPoints(losses), 100);
  expect(kept).toContainEqual({ step: 1234, loss: 40 });
  expect(kept).toContainEqual({ step: 4001, loss: -7 });
});

it('keeps both ends, the extremes, the order, and stays within the bound', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 4, max: 120 }),
      (losses, most) => {
        const points = toPoints(losses);
        const kept = thinLosses(points, most);
        expect(kept.length).toBeLessThanOrEqual(most);
        expect(kept[0]).toBe(points[0]);
        expect(kept.at(-1)).toBe(points.at(-1));
        const values = kept.map((point) => point.loss ?? Number.NaN);
        // `+ 0`: of equal extremes either zero may be kept.
        expect(Math.min(...values) + 0).toBe(Math.min(...losses) + 0);
        expect(Math.max(...values) + 0).toBe(Math.max(...losses) + 0);
        for (const [index, point] of kept.entries())
          if (index > 0) expect(point.step).toBeGreaterThan(kept[index - 1]!.step);
      },
    ),
  );
});

it('keeps where the losses stop being finite numbers, within the bound', () => {
  const points = Array.from({ length: 1000 }, (_, step) => ({ step, loss: step < 600 ? 1000 - step : null }));
  const kept = thinLosses(points, 50);
  expect(kept.length).toBeLessThanOrEqual(50);
  expect(kept.filter(({ loss }) => loss === null)).toEqual([
    { step: 600, loss: null },
    { step: 999, loss: null },
  ]);
  expect(kept.map(({ step }) => step)).toEqual(kept.map(({ step }) => step).toSorted((a, b) => a - b));
  expect(thinLosses(points.slice(0, 601), 50).at(-1)).toEqual({ step: 600, loss: null });
});
