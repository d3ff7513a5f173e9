import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatClock,
  formatCount,
  formatCounted,
  formatDuration,
  formatMinute,
  formatMoment,
  formatRate,
  shortId,
  toCountText,
} from './format.ts';

describe('formatRate', () => {
  it.each([
    [0.00002, '2e-5'],
    [6e-3, '6e-3'],
    [1.5e-3, '1.5e-3'],
    [0.01, '0.01'],
    [0.25, '0.25'],
    [2, '2'],
    [0.1 + 0.2, '0.3'],
    [1e-300, '1e-300'],
    [-0.00002, '-2e-5'],
    [250_000, '2.5e5'],
    [0, '0'],
    [1.2345678e-4, '1.23457e-4'],
  ])('%d -> %s', (rate, text) => {
    expect(formatRate(rate)).toBe(text);
  });

  it('never shows a number other than 0 as 0, nor one far from it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (rate) => {
        const shown = Number(formatRate(rate));
        if (rate === 0) expect(shown).toBe(0);
        else expect(Math.abs(shown / rate - 1)).toBeLessThan(1e-5);
      }),
    );
  });
});

describe('counts, times and ids', () => {
  it('groups thousands, of any number', () => {
    expect([formatCount(0), formatCount(2200), formatCount(100_221)]).toEqual(['0', '2,200', '100,221']);
    const intl = new Intl.NumberFormat('en-US');
    const numbers = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double());
    fc.assert(fc.property(numbers, (n) => Object.is(n, -0) || formatCount(n) === intl.format(n)));
  });

  it.each([
    [0, '0 ms'],
    [21.4, '21 ms'],
    [1234, '1.2 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [59_400, '59 s'],
    [59_700, '1 min 00 s'],
    [185_000, '3 min 05 s'],
    [7_620_000, '2 h 07 min'],
  ])('a duration of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [400, 'now'],
    [2000, '2 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [7_200_000, '2 h ago'],
    [259_200_000, '3 d ago'],
  ])('%d ms ago is "%s"', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });

  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2200, '2,200 rows'],
  ])('%d of something is "%s"', (count, text) => {
    expect(formatCounted(count, 'row')).toBe(text);
  });

  it('shortens long ids only', () => {
    expect(shortId('6f0c4a12-0b7e-4c55-9a54-2d8f1f2b91ab')).toBe('6f0c…91ab');
    expect(shortId('run-12')).toBe('run-12');
  });
});

it('groups counts and loses no digit of odd ones', () => {
  expect([3, 2200, 1.00001, 1e21, -5].map(toCountText)).toEqual(['3', '2,200', '1.00001', '1e+21', '-5']);
});

it('writes times of day with 24 hours, in the time zone of the person', () => {
  const at = new Date(2026, 0, 2, 14, 2, 10).getTime();
  const night = new Date(2026, 0, 2, 0, 5, 9).getTime();
  expect([formatMinute(at), formatClock(at), formatClock(night)]).toEqual(['14:02', '14:02:10', '00:05:09']);
  expect(formatMoment(new Date(2026, 0, 9, 14, 2).getTime())).toBe('2026-01-09 14:02');
  expect([formatMinute(NaN), formatClock(NaN), formatMoment(NaN)]).toEqual(['unknown', 'unknown', 'unknown']);
});
