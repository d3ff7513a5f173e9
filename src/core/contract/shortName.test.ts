import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toShortName } from './shortName.ts';

const long = fc.string({ unit: fc.constantFrom('a', 'ü', '👍', '%', ':', '|', '='), minLength: 80, maxLength: 400 });

it('leaves short names as they are', () => {
  for (const name of ['', 'learning_rate_multiplier', 'held_out.exact match', '👍'.repeat(50)])
    expect(toShortName(name)).toBe(name);
});

it('keeps every name short once it is escaped, and settles after one time', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), long), (name) => {
      const short = toShortName(name);
      expect(short.replaceAll(/[%|=:]/g, '%25').length).toBeLessThanOrEqual(100);
      expect(toShortName(short)).toBe(short);
      expect(short.isWellFormed()).toBe(true);
    }),
  );
});

it('tells long names apart by what is left out', () => {
  const start = 'x'.repeat(300);
  expect(toShortName(`${start}1`)).not.toBe(toShortName(`${start}2`));
  expect(toShortName(`${start}1`)).toMatch(/^x{90}~\w+$/);
  expect(toShortName('half \ud800')).toBe('half \ufffd');
});
