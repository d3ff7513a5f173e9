import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_LENGTHS, openLengths, toBars, toCut, toQuantile, type Lengths } from './lengths.ts';

function lengthsOf(values: readonly number[]): Lengths {
  const counter = openLengths();
  for (const value of values) counter.add(value);
  return counter.toLengths();
}
const values = fc.array(fc.oneof(fc.nat(100), fc.nat(5000), fc.nat(2 ** 31 - 1)), { maxLength: 60 });
const sumOf = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);

describe('openLengths', () => {
  it('counts rows, sum and ends exactly', () => {
    expect(lengthsOf([])).toEqual(NO_LENGTHS);
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 1), { minLength: 1 }), (list) => {
        const lengths = lengthsOf(list);
        expect(lengths).toMatchObject({
          rows: list.length,
          sum: sumOf(list),
          min: Math.min(...list),
          max: Math.max(...list),
        });
        expect(sumOf(lengths.bins.map(([, rows]) => rows))).toBe(list.length);
        expect(sumOf(lengths.bins.map(([, , sum]) => sum))).toBe(sumOf(list));
      }),
    );
  });

  it('adds parts to the whole', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const counter = openLengths();
        counter.addAll(lengthsOf(a));
        counter.addAll(lengthsOf(b));
        expect(counter.toLengths()).toEqual(lengthsOf([...a, ...b]));
      }),
    );
  });

  it('stays small', () => {
    const lengths = lengthsOf(Array.from({ length: 100_000 }, (_, at) => at * 20_000));
    expect(lengths.bins.length).toBeLessThan(1000);
  });
});

describe('toCut', () => {
  it('is exact for the usual contexts', () => {
    fc.assert(
      fc.property(
        values,
        fc.constantFrom(1, 17, 64, 512, 768, 1024, 1536, 2048, 4096, 8192, 131_072),
        (list, context) => {
          const longer = list.filter((value) => value > context);
          expect(toCut(lengthsOf(list), context)).toEqual({
            rows: longer.length,
            length: sumOf(longer.map((value) => value - context)),
          });
        },
      ),
    );
  });

  it('is near for others', () => {
    const list = Array.from({ length: 10_000 }, (_, at) => at);
    const { rows, length } = toCut(lengthsOf(list), 5003);
    expect(Math.abs(rows - 4996)).toBeLessThan(20);
    expect(length / sumOf(list.map((value) => Math.max(0, value - 5003)))).toBeCloseTo(1, 2);
    expect(toCut(NO_LENGTHS, 512)).toEqual({ rows: 0, length: 0 });
  });
});

describe('toQuantile and toBars', () => {
  it('finds quantiles within 1/32', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1 }), fc.constantFrom(0.01, 0.5, 0.9, 1), (list, share) => {
        const sorted = list.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * list.length) - 1]!;
        const found = toQuantile(lengthsOf(list), share);
        expect(found).toBeGreaterThanOrEqual(exact);
        expect(found - exact).toBeLessThanOrEqual(exact / 32 + 1);
      }),
    );
    expect(toQuantile(NO_LENGTHS, 0.5)).toBe(0);
  });

  it('draws the few rows that are far longer than the others as one last bar', () => {
    const many = Array.from({ length: 1000 }, (_, at) => 60 + (at % 60));
    const bars = toBars(lengthsOf([...many, 20_000, 90_000]), 24);
    expect(bars.at(-1)).toMatchObject({ rows: 2 });
    expect(bars.at(-1)!.to).toBeGreaterThanOrEqual(90_000);
    expect(bars.filter(({ rows }) => rows > 10).length).toBeGreaterThan(10);
    expect(toBars(lengthsOf(many), 24).every(({ from, to }) => to / from < 1.2)).toBe(true);
  });

  it('draws all rows in few bars without gaps', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 40 }), (list, count) => {
        const bars = toBars(lengthsOf(list), count);
        expect(bars.length).toBeLessThanOrEqual(count);
        expect(sumOf(bars.map(({ rows }) => rows))).toBe(list.length);
        for (const [at, bar] of bars.entries()) {
          const next = bars[at + 1];
          if (next) expect(next.from).toBe(bar.to);
        }
      }),
    );
  });
});
