import { expect, it } from 'vitest';
import { lineOf, toCurve } from './lines.fixture.ts';
import { toLine } from './line.ts';
import { toKept, toPanned, toStepRange, toZoomed } from './xRange.ts';

const WHOLE = { from: 0, to: 100 };

it('zooms around the place that is pointed at', () => {
  expect(toZoomed(WHOLE, WHOLE, 0.5, 20)).toEqual({ from: 10, to: 60 });
});

it('shows everything again when it is zoomed out far enough', () => {
  expect(toZoomed({ from: 10, to: 60 }, WHOLE, 2, 35)).toBeNull();
});

it('stops at the ends', () => {
  expect(toPanned({ from: 10, to: 30 }, WHOLE, -5)).toEqual({ from: 0, to: 20 });
  expect(toKept({ from: 90, to: 120 }, WHOLE)).toEqual({ from: 70, to: 100 });
});

it('is never narrower than a point', () => {
  const range = toKept({ from: 50, to: 50 }, WHOLE)!;
  expect(range.to).toBeGreaterThan(range.from);
});

it('knows the steps of a part of another axis', () => {
  const by = toCurve([0, 3], { steps: [0, 300] });
  const line = toLine(toCurve([1, 2, 3, 4], { steps: [0, 100, 200, 300] }), 'epoch', {
    by,
    startedAt: null,
    lastStep: null,
  });
  expect(toStepRange([line], { from: 0.9, to: 1.1 })).toEqual({ from: 0, to: 200 });
  expect(toStepRange([lineOf([1, 2])], { from: 50, to: 60 })).toBeNull();
});
