import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRow } from './chatRow.ts';
import { isCompact } from './compactText.ts';
import { toChatRow } from './readRow.ts';

const rowOf = (...contents: string[]): ChatRow => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

describe('isCompact', () => {
  it.each(['', 'plain', 'a "quote" and \\ and /', 'line\nend', 'é 語 😀 \u2028 \u007f'])(
    'knows the JSON of %j',
    (text) => {
      expect(isCompact(JSON.stringify(rowOf(text, text)), rowOf(text, text))).toBe(true);
    },
  );

  it.each(['\u001f', '\t', '\r\n'])('leaves %j, which is rare, to a comparison', (text) => {
    expect(isCompact(JSON.stringify(rowOf(text)), rowOf(text))).toBe(false);
  });

  it('is never true for a line that is not the JSON of its row', () => {
    const part = fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u000b', 'é', '😀', '/');
    const written = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.replaceAll('a', String.raw`\u0061`),
      (text) => text.replaceAll('/', String.raw`\/`),
      (text) => text.replaceAll(String.raw`\n`, String.raw`\u000A`),
      (text) => text.replaceAll('u000b', 'u000B'),
      (text) => text.replaceAll(',', ', '),
      (text) => `${text} `,
      (text) => text.replace('{"role":"user"', '{"role":"system","role":"user"'),
      (text) => text.replace(']}', '],"tools":null}'),
    );
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: part, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        written,
        (contents, write) => {
          const line = write(JSON.stringify(rowOf(...contents)));
          const read = toChatRow({ number: 1, text: line }, 'chat');
          if (!read.ok) throw new Error(read.problem.message);
          expect(read.text).toBe(JSON.stringify(read.row));
          if (isCompact(line, read.row)) expect(line).toBe(read.text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
