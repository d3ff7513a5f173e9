import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLikelyAbsoluteRate, toRateText } from './rates.ts';

describe('toRateText', () => {
  it.each([
    [2e-5, '2e-5'],
    [0.0002, '2e-4'],
    [2.86e-4, '2.86e-4'],
    [0.006, '6e-3'],
    [0.1, '0.1'],
    [1, '1'],
    [0.018, '0.018'],
    [0.01, '0.01'],
    [99_999, '99999'],
    [100_000, '1e5'],
    [12.5, '12.5'],
    [-1e-5, '-1e-5'],
    [0, '0'],
    [1e-300, '1e-300'],
  ])('%s: %s', (value, text) => {
    expect(toRateText(value)).toEqual({ text, isExact: true });
  });

  it('says when digits are left out, but not of float noise', () => {
    expect(toRateText(1 / 3)).toEqual({ text: '0.333333', isExact: false });
    expect(toRateText(0.1 + 0.2)).toEqual({ text: '0.3', isExact: true });
    expect(toRateText(1e-4 + 1e-12)).toEqual({ text: '1e-4', isExact: false });
  });

  it('is never 0 for a value that is not, and can be read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(value !== 0);
        const back = Number(toRateText(value).text);
        expect(back).not.toBe(0);
        if (Math.abs(value) > 1e-300) expect(Math.abs(back / value - 1)).toBeLessThan(1e-5);
      }),
    );
  });
});

it('takes positive values below 1e-3 for absolute rates', () => {
  expect([2e-5, 9.99e-4].every(isLikelyAbsoluteRate)).toBe(true);
  expect([1e-3, 0.006, 1, 0, -1e-5, null].some(isLikelyAbsoluteRate)).toBe(false);
});
