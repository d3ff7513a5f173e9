import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChanges, findFirstDifference, toWordDiff, type DiffPart } from './wordDiff';

const join = (parts: readonly DiffPart[], left: DiffPart['kind']): string =>
  parts.filter((part) => part.kind === 'same' || part.kind === left).map((part) => part.text).join('');

describe('toWordDiff', () => {
  it('marks words', () => {
    expect(toWordDiff('the quick fox', 'the slow fox')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'quick' },
      { kind: 'added', text: 'slow' },
      { kind: 'same', text: ' fox' },
    ]);
  });

  it.each<[string, string, readonly DiffPart[]]>([
    ['', '', []],
    ['a', 'a', [{ kind: 'same', text: 'a' }]],
    ['', 'a', [{ kind: 'added', text: 'a' }]],
    ['a', '', [{ kind: 'removed', text: 'a' }]],
  ])('%j to %j', (before, after, parts) => expect(toWordDiff(before, after)).toEqual(parts));

  it('loses nothing of either text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'word', ' ', '\n', '.', '🚀', 'ü'), { maxLength: 40 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = toWordDiff(before, after);
        expect(join(parts, 'removed')).toBe(before);
        expect(join(parts, 'added')).toBe(after);
      }),
    );
  });

  it('gives up on texts without anything in common, but loses nothing', () => {
    const before = Array.from({ length: 3_000 }, (_, at) => `a${at}`).join(' ');
    const after = Array.from({ length: 3_000 }, (_, at) => `b${at}`).join('_ ');
    const parts = toWordDiff(before, after);
    expect(join(parts, 'removed')).toBe(before);
    expect(join(parts, 'added')).toBe(after);
  });
});

it('counts changed words', () => expect(countChanges(toWordDiff('a b c', 'a x y c'))).toEqual({ removed: 1, added: 2 }));

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
