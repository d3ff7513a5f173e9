import { assert, float, integer, property, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { toShortFloat } from './shortFloat.ts';

const decimal = tuple(integer({ min: -9_999_999, max: 9_999_999 }), integer({ min: -30, max: 20 })).map(
  ([digits, exponent]) => Number(`${digits}e${exponent}`),
);

it.each([2e-4, 4.91e-5, 0.1, 1.6789, 12345.67, 123_456.7, 9.999999, 1e-7, 3e-12, 5e-20, 1e10, 1.5e30, -0.42])(
  'gives %s back',
  (value) => expect(toShortFloat(Math.fround(value))).toBe(value),
);

it.each([0, -0, NaN, Infinity, -Infinity, 1, -3, 16_777_215, 16_777_216, 1.401298464324817e-45, 3.4028234663852886e38])(
  'keeps %s the same float32',
  (value) => expect(Math.fround(toShortFloat(value))).toBe(value),
);

it('always gives a number that rounds to the same float32', () => {
  assert(
    property(float({ noNaN: true }), (value) => {
      const short = toShortFloat(value);
      expect(Math.fround(short)).toBe(value);
      expect(
        String(short)
          .replace(/e.*|[-.]/g, '')
          .replace(/^0+|0+$/g, '').length,
      ).toBeLessThanOrEqual(9);
    }),
  );
});

it('gives every decimal number of six digits back', () => {
  const six = decimal.map((value) => Number(value.toPrecision(6))).filter((value) => Math.abs(value) > 1e-36);
  assert(
    property(six, (value) => {
      expect(toShortFloat(Math.fround(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});
