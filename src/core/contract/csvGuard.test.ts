import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardText, unguardText } from './csvGuard.ts';

it.each([
  ['=SUM(A1)', "'=SUM(A1)"],
  ['=1\nand a second line', "'=1\nand a second line"],
  ['- a list', "'- a list"],
  ['-1abc', "'-1abc"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-1+cmd|x', "'-1+cmd|x"],
  ['+1 (555) 0100', "'+1 (555) 0100"],
  ['-', "'-"],
  ['@cf/model', "'@cf/model"],
  ['\t=1', "'\t=1"],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  ['a=b', 'a=b'],
  ['', ''],
])('guards what a spreadsheet would run: %j', (text, guarded) => expect(guardText(text)).toBe(guarded));

it.each(['-5', '1e-5', '-1e-5', '-1', '+5', '-0.5e3', '-.5', '+1.', '-2E-7'])('%s is a number, no formula', (text) =>
  expect(guardText(text)).toBe(text),
);

it('no number is guarded, however it is written', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      for (const text of [String(value), value.toExponential(), value.toFixed(3)]) expect(guardText(text)).toBe(text);
    }),
  );
});

it('the way back leads to every text', () => {
  const start = fc.stringMatching(/^'{0,3}[=+\-@\t\r]?[0-9a]{0,3}$/);
  fc.assert(fc.property(start, fc.string(), (first, rest) => unguardText(guardText(first + rest)) === first + rest));
});
