import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from './anyCharacter.fixture.ts';
import { expectSame } from './expectSame.fixture.ts';
import { isJson } from './jsonText.fixture.ts';
import { parseJsonText } from './jsonText.ts';

describe('typed JSON', () => {
  it('is taken exactly where the browser takes it, and means the same', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'true',
      'null',
      'nul',
      ' ',
      '\n',
      '\t',
      '\\',
      '\\u00e9',
      '\u0001',
      'ü',
      '//',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json({ stringUnit: anyCharacter }),
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const parsed = parseJsonText(text);
          if (parsed.ok !== isJson(text)) expect(parsed.ok).toBe(isJson(text));
          if (parsed.ok) expectSame(parsed.value, JSON.parse(text));
        },
      ),
      { numRuns: 250 },
    );
  });

  it('breaks off inside the text or at its end, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const part = text.slice(0, cut % (text.length + 1));
        const parsed = parseJsonText(part);
        return parsed.ok || parsed.offset <= part.length;
      }),
    );
  });

  it.each<[string, number]>([
    ['', 1],
    ['[\n  1,\n  x\n]', 3],
    ['{\n"a": 1\n"b": 2\n}', 3],
    ['[1,\n2,]', 2],
    ['{"a":1}\n}', 2],
    ["{'a':1}", 1],
    ['["a\nb"]', 1],
    ['[\n\n', 3],
    ['{"a"\n1}', 2],
    ['[\n"\\u00e"]', 2],
    ['[\n"\\x"]', 2],
  ])('%j stops being JSON at line %i', (text, line) => expect(parseJsonText(text)).toMatchObject({ ok: false, line }));

  it('has a column and what should stand there', () => {
    expect(parseJsonText('{\n  "a" 1}')).toEqual({ ok: false, offset: 8, line: 2, column: 7, expected: 'colon' });
    expect(parseJsonText('\n')).toMatchObject({ line: 2, column: 1, expected: 'value' });
    expect(parseJsonText('['.repeat(600))).toMatchObject({ column: 502, expected: 'fewer-levels' });
  });

  it('of a megabyte is read in one go', () => {
    const text = JSON.stringify(
      Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, on: [true, null] })),
    );
    const parsed = parseJsonText(text);
    expect(parsed.ok && JSON.stringify(parsed.value) === text).toBe(true);
    expect(parseJsonText(`${text.slice(0, -1)},]`)).toMatchObject({ ok: false, offset: text.length, line: 1 });
  });

  it('that is deeper than anyone means is refused, not crashed on', () => {
    expect(parseJsonText('['.repeat(100_000) + ']'.repeat(100_000))).toMatchObject({ ok: false, line: 1 });
  });
});
