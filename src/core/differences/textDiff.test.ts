import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTextDiff, type TextDiff } from './textDiff.ts';
import { countChanges, type DiffPart } from './wordDiff.ts';

const join = ({ parts }: TextDiff, side: DiffPart['kind']): string =>
  parts
    .filter(({ kind }) => kind === 'same' || kind === side)
    .map(({ text }) => text)
    .join('');
const sides = (diff: TextDiff | null): readonly [string, string] =>
  diff === null ? ['', ''] : [join(diff, 'removed'), join(diff, 'added')];
/** Sentences of twelve words. */
const toProse = (name: string, words: number): string =>
  Array.from({ length: words }, (_, at) => `${name}${at}${at % 12 === 11 ? '.' : ''}`).join(' ');

/** Words without a sentence's end, and nothing that another name has. */
const toRun = (name: string): string =>
  Array.from({ length: 40_000 }, (_, at) => `${name}${at}${name === 'a' ? ' ' : '  '}`).join('');

it.each<[string, string, readonly DiffPart[]]>([
  ['', '', []],
  ['a', 'a', [{ kind: 'same', text: 'a' }]],
  ['', 'a', [{ kind: 'added', text: 'a' }]],
  ['a', '', [{ kind: 'removed', text: 'a' }]],
  [
    'One. Two a b. Three.',
    'One. Two a c. Three.',
    [
      { kind: 'same', text: 'One. Two a ' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'c' },
      { kind: 'same', text: '. Three.' },
    ],
  ],
])('%j to %j', (before, after, parts) => expect(toTextDiff(before, after)).toEqual({ parts, isExact: true }));

it('loses nothing of either text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bb', 'word', ' ', '\n', '. ', '.', '!', '."', '🚀', 'ü', '3.14', '。'), {
      maxLength: 60,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(sides(toTextDiff(before, after))).toEqual([before, after]);
    }),
  );
});

it('finds a word in long texts by their sentences', () => {
  const long = toProse('w', 60_000);
  const diff = toTextDiff(`${long} Then the old end. ${long}`, `${long} Then the new end. ${long}`);
  expect(diff?.parts.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
  ]);
  expect(diff?.isExact).toBe(true);
});

it('says that texts are too different instead of counting all of their words', () => {
  expect(toTextDiff(toRun('a'), toRun('b'))).toBeNull();
});

it('shows what is the same around a passage that is too different, and counts nothing', () => {
  const [before, after] = [
    `Hello there.\n${toRun('a')}\nThe end is old.`,
    `Hello there.\n${toRun('b')}\nThe end is old.`,
  ];
  const diff = toTextDiff(before, after);
  expect([diff?.isExact, sides(diff)]).toEqual([false, [before, after]]);
  expect([diff?.parts[0], diff?.parts.at(-1)]).toEqual([
    { kind: 'same', text: 'Hello there.\n' },
    { kind: 'same', text: 'The end is old.' },
  ]);
});

it('compares answers of some 1,500 words without a sentence in common, word by word', () => {
  const before = Array.from({ length: 1581 }, (_, at) => (at % 3 === 0 ? 'the' : `a${at}`)).join(' ');
  const after = Array.from({ length: 1581 }, (_, at) => (at % 3 === 0 ? 'the' : `b${at}`)).join(' ');
  const diff = toTextDiff(before, after);
  expect(diff?.isExact).toBe(true);
  expect(countChanges(diff?.parts ?? [])).toEqual({ removed: 1054, added: 1054 });
});
