import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDistinctLines, toPlainLine } from './distinctStarts';

const LONG = 'word '.repeat(500);

describe('each line begins at its first word that differs', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['one alone', ['The **whole** text'], ['The whole text']],
    ['nothing in common', ['Paris', 'Rome'], ['Paris', 'Rome']],
    ['a common prefix', [`${LONG}big city`, `${LONG}bigger city`], ['… big city', '… bigger city']],
    ['a prefix that only some share', ['Yes, it is red.', 'Yes, it is blue.', 'No.'], ['… red.', '… blue.', 'No.']],
    ['the longest shared prefix counts', ['a b c d', 'a b c e', 'a x'], ['… d', '… e', '… x']],
    ['one is the beginning of another', ['a b', 'a b c'], ['… b (ends where others go on)', '… c']],
    ['a beginning that looks like what follows', ['a b', 'a b b'], ['… b (ends where others go on)', '… b']],
    ['another word that begins alike', ['a b', 'a bc'], ['… b', '… bc']],
    ['a long word', [`${'x'.repeat(300)}`, 'y'], ['x'.repeat(200), 'y']],
    ['emoji', ['so 👩‍👩‍👧', 'so 👩‍👩‍👦'], ['… 👩‍👩‍👧', '… 👩‍👩‍👦']],
    ['emoji without spaces', [`${'👩‍👩‍👧'.repeat(20)}👩‍👩‍👧`, `${'👩‍👩‍👧'.repeat(20)}👩‍👩‍👦`], ['… 👩‍👩‍👧', '… 👩‍👩‍👦']],
    ['calls with long arguments', [`f({"text":"${'ab,'.repeat(30)}","n":1})`, `f({"text":"${'ab,'.repeat(30)}","n":2})`], ['… 1})', '… 2})']],
    ['a word without end', [`${'a1b2'.repeat(80)}y`, `${'a1b2'.repeat(80)}z`], [`… ${'a1b2'.repeat(5)}y`, `… ${'a1b2'.repeat(5)}z`]],
    ['an empty answer', ['', 'a'], ['', 'a']],
    ['marks alone', ['**a**', 'a'], ['**a**', 'a']],
    ['white space alone', ['a\nb', 'a b'], ['(only white space differs) a b', '(only white space differs) a b']],
  ])('%s', (_what, texts, lines) => expect(toDistinctLines(texts)).toEqual(lines));

  it('whatever the words, no two lines look alike', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'ab', '👩‍👩‍👧', '👩', 'é'), { minLength: 1, maxLength: 6 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(fc.uniqueArray(words, { minLength: 2, maxLength: 5 }), (texts) => {
        expect(toDistinctLines(texts).every((line) => line !== '' && line.isWellFormed())).toBe(true);
      }),
    );
    fc.assert(fc.property(words, words, (a, b) => a === b || new Set(toDistinctLines([a, b])).size === 2));
  });

  it('finds the end of twenty long answers', () => {
    const texts = Array.from({ length: 20 }, (_, at) => `${'**long** answer [[ '.repeat(2000)}n${at}`);
    expect(toDistinctLines(texts)).toEqual(texts.map((_, at) => `… n${at}`));
  });
});

it.each([
  ['**Category:** billing', 'Category: billing'],
  ['# Title\n\n- one\n* two\n> three', 'Title one two three'],
  ['*so* (**really**), ***very***', 'so (really), very'],
  ['2 * 3 * 4 and 2*3', '2 * 3 * 4 and 2*3'],
  ['```ts\nconst `a` = 1;\n```', 'const a = 1;'],
  ['snake_case and __init__', 'snake_case and __init__'],
  ['a | b\n--- | ---:\n1 | 2', 'a | b 1 | 2'],
  ['See [the docs](https://x.y/z?a=1) and ![a cat](c.png) f(x)[0].', 'See the docs and a cat f(x)[0].'],
])('%j is plain as %j', (text, line) => expect(toPlainLine(text)).toBe(line));
