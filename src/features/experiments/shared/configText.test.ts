import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toConfigNumber, toSlug } from './configText.ts';

it('numbers keep their digits and are numbers in YAML 1.1', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = toConfigNumber(value);
      expect(Number(text)).toBe(value === 0 ? 0 : value);
      expect(text).toMatch(/^-?(\d+|\d+\.\d*(e[-+]\d+)?)$/);
    }),
  );
  expect([2e-7, 1e21, 0.0002, 3].map(toConfigNumber)).toEqual(['2.0e-7', '1.0e+21', '0.0002', '3']);
});

it('folders are named by plain letters', () => {
  expect([toSlug(1, 'qwen3-0.6b · LoRA'), toSlug(2, '../..'), toSlug(3, 'x'.repeat(90))]).toEqual([
    '1-qwen3-0-6b-lora',
    '2',
    `3-${'x'.repeat(48)}`,
  ]);
});
