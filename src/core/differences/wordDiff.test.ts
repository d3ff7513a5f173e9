import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChanges, findFirstDifference, toWordDiff, type DiffPart } from './wordDiff.ts';

const join = (parts: readonly DiffPart[], left: DiffPart['kind']): string =>
  parts
    .filter((part) => part.kind === 'same' || part.kind === left)
    .map((part) => part.text)
    .join('');

const diff = (before: string, after: string, steps = 1e6): readonly DiffPart[] =>
  toWordDiff(before, after, { steps }) ?? [];

describe('toWordDiff', () => {
  it('marks words', () => {
    expect(diff('the quick fox', 'the slow fox')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'quick' },
      { kind: 'added', text: 'slow' },
      { kind: 'same', text: ' fox' },
    ]);
  });

  it('loses nothing of either text', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '🚀', 'ü'), { maxLength: 40 })
      .map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diff(before, after);
        expect(join(parts, 'removed')).toBe(before);
        expect(join(parts, 'added')).toBe(after);
      }),
    );
  });

  it('takes a character of a script without spaces for a word', () => {
    expect(diff('我喜欢猫', '我喜欢狗').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same 我喜欢',
      'removed 猫',
      'added 狗',
    ]);
  });

  it('gives up where more differs than it may search for', () => {
    const [before, after] = ['a1 a2 a3 a4', 'b1 b2 b3 b4'];
    expect([toWordDiff(before, after, { steps: 5 }), toWordDiff(before, after, { steps: 500 })?.length]).toEqual([
      null,
      11,
    ]);
  });
});

it('counts changed words', () => expect(countChanges(diff('a b c', 'a x y c'))).toEqual({ removed: 1, added: 2 }));

it.each([
  ['same', 'same', null],
  ['a b c', 'a x c', 2],
  ['a b', 'a b c', 3],
  ['a b', 'a bc', 2],
  ['a b', 'a  b', 2],
  ['', 'a', 1],
  ['xa', 'ya', 1],
  ['a b ', 'a b', 2],
])('%j and %j part at word %s', (before, after, word) => expect(findFirstDifference(before, after)).toBe(word));
