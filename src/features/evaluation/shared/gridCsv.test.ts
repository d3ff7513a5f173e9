import { expect, it } from 'vitest';
import { guardText } from '#core/contract/csvGuard.ts';
import { openUnguard, toGridHeader } from './gridCsv.ts';
import { parseRows } from './promptRows.ts';

const HEADER = toGridHeader(['q', '=x'], ['@cf/model', 'm']).map(guardText);

it('the way back leads to every name', () => {
  const back = openUnguard(HEADER);
  expect(HEADER.map(back)).toEqual(toGridHeader(['q', '=x'], ['@cf/model', 'm']));
});

it('leads back from files of before sampling was exported', () => {
  const older = HEADER.filter((name) => !name.endsWith(': sampling'));
  expect(openUnguard(older)("'=1")).toBe('=1');
});

it.each([
  ['without an answer', HEADER.slice(0, -22)],
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
