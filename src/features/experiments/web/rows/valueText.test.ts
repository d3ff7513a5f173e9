import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toValueText } from './valueText.ts';

it.each([
  ['rate', 0.0002, '2e-4', null],
  ['rate', 1 / 3, '≈ 0.333333', '0.3333333333333333'],
  ['count', 12_000, '12,000', '12000'],
  ['measure', 0.123456, '0.1235', '0.123456'],
  ['measure', 0.000152, '1.52e-4', '0.000152'],
  ['measure', 0, '0', null],
  ['measure', 2, '2', null],
  ['duration', 93.5, '1 min 34 s', '93.5'],
  ['id', 'ft-x', 'ft-x', null],
  ['date', 'once', 'unknown', 'once'],
] as const)('%s %s: %s', (kind, value, text, whole) => {
  expect(toValueText(kind, value)).toEqual({ text, whole });
});

it('never rounds a measure to 0', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      fc.pre(value !== 0);
      expect(Number(toValueText('measure', value).text)).not.toBe(0);
    }),
  );
});
