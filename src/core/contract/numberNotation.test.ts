import { assert, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatMeasure, toNumberText, toPercent, toScientificText } from './numberNotation.ts';

describe('toNumberText', () => {
  it.each([
    [0.006, '6e-3'],
    [0.000286, '2.86e-4'],
    [0.018, '0.018'],
    [0.01, '0.01'],
    [0.2, '0.2'],
    [2, '2'],
    [99_999, '99999'],
    [100_000, '1e5'],
    [-0.0002, '-2e-4'],
    [0, '0'],
    [5e-324, '5e-324'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('writes %d as %s', (value, text) => expect(toNumberText(value)).toBe(text));

  it('rounds to as many digits as asked', () => {
    expect(toNumberText(0.000_123_456_789, 3)).toBe('1.23e-4');
    expect(toNumberText(0.009_999_999_9)).toBe('0.01');
  });

  it('is a number again, near the one that was written, and never 0 for another', () => {
    assert(
      property(double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
        const again = Number(toNumberText(value));
        expect(again === 0).toBe(value === 0);
        if (Math.abs(value) > 1e-300) expect(Math.abs(again / value - 1)).toBeLessThan(1e-5);
      }),
    );
  });
});

it('writes all digits in the scientific form', () => {
  expect([0.0001234567, 150, 0].map(toScientificText)).toEqual(['1.234567e-4', '1.5e2', '0']);
});

it.each([
  [0.975, '97.5'],
  [0.82, '82'],
  [1, '100'],
  [0, '0'],
  [0.9999, '99.99'],
  [0.0001, '0.01'],
  [1 - 1e-9, '>99.9999'],
  [1.5, '150'],
])('%s is %s percent', (share, text) => expect(toPercent(share)).toBe(text));

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1536, '1.54 kB'],
  [999_600, '1 MB'],
  [35_100_000, '35.1 MB'],
  [8e9, '8 GB'],
  [7e15, '7000 TB'],
])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('measures have four digits, as in the tables', () => {
  expect([0.0044, 0.531234, 1.52e-4, 12.3456, 1_234_567, 0, 8, Number.NaN].map(formatMeasure)).toEqual([
    '0.0044',
    '0.5312',
    '1.52e-4',
    '12.35',
    '1.235e6',
    '0',
    '8',
    'NaN',
  ]);
});
