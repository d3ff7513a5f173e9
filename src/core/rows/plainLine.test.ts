import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_LIMITS } from '#core/contract/limits.ts';
import type { ChatRow, RowMessage } from './chatRow.ts';
import { findPlainEnd, isPlainLine } from './plainLine.ts';
import { readForm } from './rowForms.ts';
import { RowNotes } from './chatRow.ts';

const rowOf = (...contents: string[]): ChatRow => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
const toLine = (row: unknown): string => JSON.stringify(row);

/** `isPlainLine`, and whether the same is found in bytes, among other lines, where the line is of ASCII alone. */
function isPlain(line: string): boolean {
  const is = isPlainLine(line);
  const isAscii = /^[\0-\x7f]*$/.test(line);
  const end = findPlainEnd(Buffer.from(`{}\n${line}\n${line}`), 3);
  if (end !== (is && isAscii ? 3 + line.length : -1)) throw new Error(`${end} for ${line}`);
  if (findPlainEnd(Buffer.from(line), 0) !== -1) throw new Error(`An end without a line feed: ${line}`);
  return is;
}

describe('isPlainLine and findPlainEnd', () => {
  it.each([
    '',
    'plain',
    'a "quote" and \\ and /',
    'line\nend',
    '\t\r\n\b\f',
    'é 語 😀 \u2028 \u007f',
    '"},{"role":"',
    '"}]}',
    '\\"',
  ])('knows the JSON of %j', (text) => {
    expect(isPlain(toLine(rowOf(text, text)))).toBe(true);
  });

  it.each(['system', 'developer', 'user', 'assistant'] as const)('knows a message of the role %s', (role) => {
    expect(isPlain(toLine({ messages: [{ role, content: 'x' }] }))).toBe(true);
  });

  it.each([
    ['another role', toLine({ messages: [{ role: 'tool', content: 'x' }] })],
    ['names in another order', toLine({ messages: [{ content: 'x', role: 'user' }] })],
    ['another field', toLine({ messages: [{ role: 'user', content: 'x', name: 'y' }] })],
    ['no text', toLine({ messages: [{ role: 'user', content: null }] })],
    ['no message', toLine({ messages: [] })],
    ['tools', toLine({ ...rowOf('x'), tools: [] })],
    ['too many messages', toLine(rowOf(...Array.from({ length: MESSAGE_LIMITS.max + 1 }, () => '')))],
    ['a character that JSON writes as \\u', toLine(rowOf('\u001f'))],
    ['a control character that no JSON has', toLine(rowOf('x')).replace('x', '\t')],
    ['an escape that no JSON has', toLine(rowOf('x')).replace('x', String.raw`\x`)],
    ['an end within a text', '{"messages":[{"role":"user","content":"x'],
    ['an end after a backslash', '{"messages":[{"role":"user","content":"x\\'],
    ['an end before the brackets', '{"messages":[{"role":"user","content":"x"'],
    ['more after its end', `${toLine(rowOf('x'))} `],
  ])('says no to a line with %s', (_what, line) => {
    expect(isPlain(line)).toBe(false);
  });

  it.each([0x80, 0xe9, 0xff])('finds no end of a line with the byte %i, which is not UTF-8', (byte) => {
    const bytes = Buffer.from(`${toLine(rowOf('x'))}\n`);
    expect(findPlainEnd(bytes, 0)).toBe(bytes.length - 1);
    bytes[bytes.indexOf('x')] = byte;
    expect(findPlainEnd(bytes, 0)).toBe(-1);
  });

  it('is never true for a line that is not the JSON of its row', () => {
    const part = fc.constantFrom(
      'a',
      '"',
      '\\',
      '\n',
      '\u0001',
      '\u000b',
      'é',
      '😀',
      '/',
      '"}',
      ']}',
      '{"role":"',
      ',',
    );
    const messages = fc.array(
      fc.record<RowMessage>({
        role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool'),
        content: fc.string({ unit: part, maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    /** A line with a piece cut out, doubled, or replaced. */
    const change = fc.record({
      at: fc.nat(120),
      length: fc.nat(8),
      put: fc.constantFrom('', '"', '\\', '}', 'a', '\\"', ' '),
    });
    let plain = 0;
    fc.assert(
      fc.property(messages, fc.option(change), (list, changed) => {
        const whole = toLine({ messages: list });
        const cut = changed
          ? whole.slice(0, changed.at) + changed.put + whole.slice(changed.at + changed.length)
          : whole;
        // As lines come: from UTF-8.
        const line = Buffer.from(cut).toString();
        if (!isPlain(line)) return;
        plain += 1;
        const notes = new RowNotes();
        const read = readForm(JSON.parse(line) as Record<string, never>, 'chat', notes);
        expect([read.ok, notes.isSame, notes.leftOut]).toEqual([true, true, []]);
        if (read.ok) expect(toLine(read.value)).toBe(line);
      }),
      { numRuns: 1000 },
    );
    expect(plain).toBeGreaterThan(20);
  });
});
