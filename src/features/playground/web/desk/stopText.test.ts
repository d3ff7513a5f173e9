import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addStop, parseStopText, toStopLabel, toStopText } from './stopText.ts';

it.each([
  ['###', '###'],
  ['a, b', 'a, b'],
  ['\\n\\n', '\n\n'],
  ['\\t|\\r', '\t|\r'],
  ['\\\\n', '\\n'],
  ['\\x \\', '\\x \\'],
  [' ', ' '],
])('%j typed is %j sent', (typed, expected) => expect(parseStopText(typed)).toBe(expected));

it.each([
  ['   ', '␣␣␣'],
  [' a b ', '␣a b␣'],
  ['a b', 'a b'],
  ['\n ', '\\n␣'],
])('draws the spaces at the ends of %j', (sequence, label) => expect(toStopLabel(sequence)).toBe(label));

it('shows a sequence on one line, and reads it back the same', () => {
  const sequence = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\\', 'n', 't', 'r', '\n', '\t', '\r', ',', ' '),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(sequence, (text) => {
      expect(toStopText(text)).not.toMatch(/[\n\r\t]/);
      expect(parseStopText(toStopText(text))).toBe(text);
    }),
  );
});

describe('adding', () => {
  const limits = { stopSequences: 2, stopCharacters: 4 };
  const list = ['a'];

  it.each<[string, readonly string[]]>([
    ['b', ['a', 'b']],
    ['b,c', ['a', 'b,c']],
    [' ', ['a', ' ']],
    // The length that counts is that of what is sent.
    ['\\n\\n\\n\\n', ['a', '\n\n\n\n']],
  ])('%j is one more sequence', (text, expected) =>
    expect(addStop(list, text, limits)).toEqual({ value: expected, problem: null }),
  );

  it.each(['', 'a'])('%j changes nothing and is no problem', (text) => {
    const { value, problem } = addStop(list, text, limits);
    expect(value).toBe(list);
    expect(problem).toBeNull();
  });

  it('takes no more than the limits allow, and says so', () => {
    expect(addStop(['a', 'b'], 'c', limits)).toEqual({
      value: ['a', 'b'],
      problem: 'There can be 2 stop sequences at most. Remove one first.',
    });
    expect(addStop(list, 'abcde', limits)).toEqual({
      value: ['a'],
      problem: 'A stop sequence can have 4 characters at most.',
    });
  });
});
