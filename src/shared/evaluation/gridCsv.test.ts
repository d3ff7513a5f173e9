import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardText, openUnguard, toGridHeader } from './gridCsv.ts';
import { parseRows } from './promptRows.ts';

it.each([
  ['=SUM(A1)', "'=SUM(A1)"],
  ['=1\nand a second line', "'=1\nand a second line"],
  ['- a list', "'- a list"],
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

it.each(['-1', '+5', '-0.5e3', '-.5', '+1.', '-2E-7'])('%s is a number, no formula', (text) =>
  expect(guardText(text)).toBe(text),
);

const HEADER = toGridHeader(['q', '=x'], ['@cf/model', 'm']).map(guardText);

it('the way back leads to every text', () => {
  const back = openUnguard(HEADER);
  const start = fc.stringMatching(/^'{0,3}[=+\-@\t\r]?[0-9a]{0,3}$/);
  fc.assert(fc.property(start, fc.string(), (first, rest) => back(guardText(first + rest)) === first + rest));
  expect(HEADER.map(back)).toEqual(toGridHeader(['q', '=x'], ['@cf/model', 'm']));
});

it.each([
  ['without an answer', HEADER.slice(0, -20)],
  ['with another column', [...HEADER, 'note']],
  ['in another order', HEADER.toReversed()],
  ['of a person', ['row', 'messages', 'rendered prompt', 'expected', 'answer']],
])('leaves a file %s as it is', (_what, header) => expect(openUnguard(header)("'=1")).toBe("'=1"));

it('rows of a table that the studio wrote are read as they were, those of others as they stand', () => {
  const line = HEADER.map((name) => (name === 'q' ? "'- a" : name === "'=x" ? '-1' : name === 'expected' ? "'=1" : ''));
  const [row] = parseRows([HEADER, line].map((fields) => fields.join(',')).join('\r\n'), 'csv').rows;
  expect([row?.variables.get('q'), row?.variables.get('=x'), row?.expected]).toEqual(['- a', '-1', '=1']);
  expect(parseRows("q,expected\n'- a,'=1", 'csv').rows[0]?.expected).toBe("'=1");
});
