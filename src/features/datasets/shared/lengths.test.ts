import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openLengths } from './lengths.ts';

function figuresOf(values: readonly number[]) {
  const counter = openLengths();
  for (const value of values) counter.add(value);
  expect(counter.rows).toBe(values.length);
  return counter.toFigures();
}
const values = fc.array(fc.oneof(fc.nat(100), fc.nat(5000), fc.nat(2 ** 31 - 1)), { minLength: 1, maxLength: 60 });
const sumOf = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);

it('counts sum and ends exactly, and the median within 1/32', () => {
  expect(figuresOf([])).toEqual({ min: 0, median: 0, max: 0, total: 0, bins: [] });
  fc.assert(
    fc.property(values, (list) => {
      const { median, ...figures } = figuresOf(list);
      expect(figures).toMatchObject({ min: Math.min(...list), max: Math.max(...list), total: sumOf(list) });
      const exact = list.toSorted((a, b) => a - b)[Math.ceil(list.length / 2) - 1]!;
      expect(median).toBeGreaterThanOrEqual(exact);
      expect(median - exact).toBeLessThanOrEqual(exact / 32 + 1);
    }),
  );
});

it('draws all rows in few bars without gaps', () => {
  fc.assert(
    fc.property(values, (list) => {
      const { bins } = figuresOf(list);
      expect(bins.length).toBeLessThanOrEqual(24);
      expect(sumOf(bins.map(({ count }) => count))).toBe(list.length);
      for (const [at, bar] of bins.entries()) if (at > 0) expect(bar.from).toBe(bins[at - 1]?.to);
    }),
  );
});

it('draws the few rows that are far longer than the others as one last bar', () => {
  const many = Array.from({ length: 1000 }, (_, at) => 60 + (at % 60));
  const { bins } = figuresOf([...many, 20_000, 90_000]);
  expect(bins.at(-1)).toMatchObject({ count: 2 });
  expect(bins.at(-1)!.to).toBeGreaterThanOrEqual(90_000);
  expect(bins.filter(({ count }) => count > 10).length).toBeGreaterThan(10);
  expect(figuresOf(many).bins.every(({ from, to }) => to / from < 1.2)).toBe(true);
});
