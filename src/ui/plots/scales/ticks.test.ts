import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPlotValue, toTicks } from './ticks.ts';

const labels = (min: number, max: number, scale: 'linear' | 'log', isWhole = false) =>
  toTicks({ min, max, scale, isWhole }).ticks.map((tick) => tick.label);

describe('ticks', () => {
  it.each<[string, number, number, string[]]>([
    ['less than a decade', 2e-4, 6e-4, ['2e-4', '5e-4', '1e-3']],
    ['two decades', 1e-4, 5e-3, ['1e-4', '2e-4', '5e-4', '1e-3', '2e-3', '5e-3']],
    ['five decades', 1e-6, 0.1, ['1e-6', '1e-5', '1e-4', '1e-3', '0.01', '0.1']],
    ['plain numbers', 1, 40, ['1', '2', '5', '10', '20', '50']],
    ['one number', 3, 3, ['3']],
  ])('of a logarithmic axis over %s', (_what, min, max, expected) => expect(labels(min, max, 'log')).toEqual(expected));

  it.each<[string, number, number, boolean, string[]]>([
    ['whole numbers', 1, 4, true, ['1', '2', '3', '4']],
    ['a fraction of one step', 1, 2, true, ['1', '2']],
    ['losses', 0.13, 1.9, false, ['0', '0.5', '1', '1.5', '2']],
    ['small rates', 1e-5, 4e-5, false, ['1e-5', '2e-5', '3e-5', '4e-5']],
    ['large counts', 0, 400_000, true, ['0', '1e5', '2e5', '3e5', '4e5']],
    ['one number', 8, 8, true, ['8']],
  ])('of a linear axis over %s', (_what, min, max, isWhole, expected) =>
    expect(labels(min, max, 'linear', isWhole).filter(Boolean)).toEqual(expected),
  );

  it('are isolated, inside their axis, and hold all values, whatever these are', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, finite, fc.boolean(), (a, b, isLog) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const { from, to, ticks } = toTicks({ min, max, scale: isLog && min > 0 ? 'log' : 'linear', isWhole: false });
        const laws = {
          holdsMin: from <= min,
          holdsMax: to >= max,
          isFinite: from < to && Number.isFinite(from) && Number.isFinite(to),
          areApart: new Set(ticks.map((tick) => tick.label)).size === ticks.length,
          areFew: ticks.length > 0 && ticks.length < 14,
          areInside: ticks.every(({ value }) => value >= from && value <= to),
        };
        const broken = Object.entries(laws).filter(([, holds]) => !holds);
        if (broken.length > 0)
          expect.fail(`${broken.map(([law]) => law).join()}: ${JSON.stringify({ from, to, ticks })}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('tell values apart that differ late', () => {
    const shown = labels(1.000001, 1.000004, 'linear');
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.length).toBeGreaterThan(2);
  });
});

it('ticks of measures are written as their values in the tables, those of rates as rates', () => {
  const write = (min: number, max: number, isMeasure: boolean) =>
    toTicks({ min, max, scale: 'linear', isWhole: false, isMeasure }).ticks.map(({ label }) => label);
  expect(write(0.0044, 0.02, true)).toEqual(['0', '0.005', '0.01', '0.015', '0.02']);
  expect(write(0.0044, 0.02, false)).toEqual(['0', '5e-3', '0.01', '0.015', '0.02']);
  expect(write(1e-4, 4e-4, true)).toEqual(['1e-4', '2e-4', '3e-4', '4e-4']);
  expect(write(0.0044, 0.0044, true)).toEqual(['0.0044']);
});

it('numbers are never rounded to 0', () => {
  expect([2.86e-4, 1e-12, 0.05, 3, 123_456, 0, -4e-7, 0.1 + 0.2].map(formatPlotValue)).toEqual([
    '2.86e-4',
    '1e-12',
    '0.05',
    '3',
    '1.23456e5',
    '0',
    '-4e-7',
    '0.3',
  ]);
  expect([null, 'lora'].map(formatPlotValue)).toEqual(['', 'lora']);
});
